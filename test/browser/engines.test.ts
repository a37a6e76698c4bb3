// One front with two engines: an account is made on the second one, administrators see how it goes with each, and the page
// names the one that is away until it is back. Where one engine is all, nothing of this is shown.
import t from 'tap';
import type { Page } from 'playwright-core';
import { t as text } from '../../api/web/src/strings/index.js';
import { startHarness } from '../support/api-harness.js';
import { speakAll } from '../support/texts.js';
import { magnetOf, startTwoEngines, torrentId } from '../support/two-engines.js';
import { readAxe, violations } from './accessibility.js';
import { openPage, signIn, testInBrowser } from './chromium.js';

const PASSWORD = 'correct horse';
const PHONE = { width: 390, height: 844 };

t.setTimeout(180_000);
await speakAll('en');
const axe = await readAxe();

const accountRow = (page: Page, name: string) =>
  page
    .getByRole('list', { name: text('accounts.title') })
    .getByRole('listitem')
    .filter({ hasText: name });

void testInBrowser(t, 'an account is made on the second engine, and moved to the first', async (t, browser) => {
  const { front, roots } = await startTwoEngines(t);
  const { page, complaints } = await openPage(browser, { reducedMotion: 'reduce' });
  await signIn(page, front().daemon.url, 'admin', front().password);
  await page.goto(`${front().daemon.url}/settings/accounts`);
  await accountRow(page, 'admin').getByText('Engine: first').waitFor();

  await page.getByRole('button', { name: text('accounts.new') }).click();
  const dialog = page.getByRole('dialog');
  const engine = dialog.getByLabel(text('accounts.engine'), { exact: true });
  t.same(await engine.getByRole('option').allTextContents(), [
    'first (default)',
    'second',
    text('accounts.enginePlaced'),
  ]);
  t.equal(await engine.inputValue(), '');
  await dialog.getByLabel(text('signIn.username')).fill('bob');
  await dialog.getByLabel(text('signIn.password')).fill(PASSWORD);
  await engine.selectOption('second');
  const home = dialog.getByLabel(text('accounts.home'), { exact: true });
  await home.fill(roots.first);
  await dialog.getByRole('button', { name: text('accounts.create') }).click();
  await dialog.locator('[aria-invalid=true][name=home]').waitFor();
  await home.fill(`${roots.second}/bob`);
  t.same(await violations(page, axe), [], 'of the window');
  await dialog.getByRole('button', { name: text('accounts.create') }).click();
  await dialog.waitFor({ state: 'detached' });
  await accountRow(page, 'bob').getByText('Engine: second').waitFor();

  await page.getByRole('button', { name: text('accounts.actionsOf', { name: 'bob' }) }).click();
  await page.getByRole('menuitem', { name: text('settings.edit') }).click();
  t.equal(await engine.inputValue(), 'second');
  await engine.focus();
  await page.keyboard.press('ArrowUp');
  await home.fill('');
  await dialog.getByRole('button', { name: text('common.save') }).click();
  await dialog.waitFor({ state: 'detached' });
  await accountRow(page, 'bob').getByText('Engine: first').waitFor();
  t.same(complaints, []);
});

void testInBrowser(t, 'an account is placed by the fleet, and its torrents say where they are', async (t, browser) => {
  const { front, again, engines, shared } = await startTwoEngines(t);
  const { page, complaints } = await openPage(browser, { reducedMotion: 'reduce' });
  await signIn(page, front().daemon.url, 'admin', front().password);
  await page.goto(`${front().daemon.url}/settings/accounts`);
  await accountRow(page, 'admin').waitFor();
  await page.getByRole('button', { name: text('accounts.new') }).click();
  const dialog = page.getByRole('dialog');
  await dialog.getByLabel(text('signIn.username')).fill('bob');
  await dialog.getByLabel(text('signIn.password')).fill(PASSWORD);
  await dialog.getByLabel(text('accounts.permissions.perm_add_torrents')).check();
  await dialog.getByLabel(text('accounts.engine'), { exact: true }).selectOption('auto');
  await dialog.getByText(text('accounts.homeOnEngines')).waitFor();
  await dialog.getByLabel(text('accounts.home'), { exact: true }).fill(`${shared}/bob`);
  t.same(await violations(page, axe), [], 'of the window');
  await dialog.getByRole('button', { name: text('accounts.create') }).click();
  await dialog.waitFor({ state: 'detached' });
  await accountRow(page, 'bob').getByText(text('accounts.enginePlaced')).waitFor();

  const bob = await again('bob');
  const filmOf = (n: number) => `magnet:?xt=urn:btih:${torrentId(n)}&dn=film-${n}`;
  for (const n of [1, 2]) await bob.ask('POST', '/api/torrents/magnet', { magnet: filmOf(n) });
  t.same([engines.first.ids.length, engines.second.ids.length], [1, 1]);
  for (const [name, { ids }] of Object.entries(engines)) {
    await page.goto(front().daemon.url);
    await page
      .getByRole('row', { name: `film-${Number.parseInt(ids[0]!, 16)}` })
      .first()
      .dblclick();
    const fact = page.getByRole('term').filter({ hasText: text('verbs.overview.engine') });
    await fact.waitFor();
    t.equal(await fact.locator('xpath=following-sibling::dd').innerText(), name);
  }
  t.same(await violations(page, axe), [], 'of the details');
  t.same(complaints, []);
});

void testInBrowser(t, 'an engine goes, and is back', async (t, browser) => {
  const { front, account, hosts, roots } = await startTwoEngines(t);
  const { client: bob } = await account('bob', { engine: 'second' });
  for (const n of [1, 2]) await bob.ask('POST', '/api/torrents/magnet', { magnet: magnetOf(n) });
  const { page, complaints } = await openPage(browser, { reducedMotion: 'reduce' });
  await signIn(page, front().daemon.url, 'admin', front().password);
  await page.goto(`${front().daemon.url}/settings/servers`);
  const rows = page.getByRole('list', { name: text('engines.title') }).getByRole('listitem');
  const row = rows.filter({ hasText: 'second' });
  await row.getByText(text('engines.states.connected')).waitFor();
  t.match(await row.innerText(), /2 torrents · 1 account · Swarmd 9\.9\.9/);
  t.match(await row.innerText(), `${roots.second} (data)`);
  t.equal(await rows.count(), 2);
  t.equal(await rows.first().getByText(text('engines.isDefault'), { exact: true }).count(), 1);

  await hosts.second.end();
  const strip = page.getByText(/^Engine second is away since \d/);
  await strip.waitFor();
  await row.getByText(text('engines.states.away'), { exact: true }).waitFor();
  await row.getByText(/^Away since .+: \S/).waitFor();
  t.match(await row.innerText(), '2 torrents', 'as they are shown still');
  await rows.first().getByText(text('engines.states.connected')).waitFor();
  t.same(await violations(page, axe), [], 'in the light');
  await page.emulateMedia({ colorScheme: 'dark' });
  await page.setViewportSize(PHONE);
  t.same(await violations(page, axe), [], 'in the dark, on a phone');
  t.ok(await strip.isVisible());

  await hosts.first.end();
  await page.getByText(/^Engines are away: first since .+, second since .+\./).waitFor();
  await hosts.first.begin();
  await strip.waitFor();
  await hosts.second.begin();
  await strip.waitFor({ state: 'detached' });
  await row.getByText(text('engines.states.connected')).waitFor();
  t.same(complaints, []);
});

void testInBrowser(t, 'torrents of an engine that is away are grey, and no others', async (t, browser) => {
  const { front, account, admin, hosts } = await startTwoEngines(t);
  const { client: bob } = await account('bob', { engine: 'second' });
  await admin.ask('POST', '/api/torrents/magnet', { magnet: magnetOf(1) });
  await bob.ask('POST', '/api/torrents/magnet', { magnet: magnetOf(2) });
  const { page, complaints } = await openPage(browser, { reducedMotion: 'reduce' });
  await signIn(page, front().daemon.url, 'admin', front().password);
  const row = (n: number) => page.getByRole('row', { name: new RegExp(`(^| )${n} `) });
  await row(2).waitFor();
  await hosts.second.end();
  await row(2).getByText(text('state.engineAway')).waitFor();
  t.equal(await row(2).getAttribute('data-away'), 'true');
  t.equal(await row(1).getAttribute('data-away'), 'false');
  t.equal(await row(1).getByText(text('state.engineAway')).count(), 0);
  t.equal(await page.locator('[data-stale="true"]').count(), 0, 'the rest is of the moment');
  t.same(await violations(page, axe), []);
  await row(2).click();
  await page.keyboard.press('Enter');
  await page.getByText(/^The engine that has it is away\. Shown as it was last: /).waitFor();
  await hosts.first.end();
  await page.locator('[data-stale="true"]').first().waitFor();
  for (const host of [hosts.first, hosts.second]) await host.begin();
  await page.locator('[data-away="true"]').first().waitFor({ state: 'detached' });
  t.same(complaints, []);
});

void testInBrowser(t, 'an account that is no administrator is told of its own engine', async (t, browser) => {
  const { front, account, hosts } = await startTwoEngines(t);
  await account('bob', { engine: 'second' });
  const { page, complaints } = await openPage(browser);
  await signIn(page, front().daemon.url, 'bob', PASSWORD);
  const asked: string[] = [];
  page.on('request', (request) => void asked.push(new URL(request.url()).pathname));
  await hosts.second.end();
  await page.getByText(/^Engine away since \d/).waitFor();
  await page.goto(`${front().daemon.url}/settings/servers`);
  await page.getByText(text('servers.none')).waitFor();
  await page.getByText(/^Engine away since \d/).waitFor();
  t.notOk(asked.includes('/api/engines'));
  t.same(complaints, []);
});

void testInBrowser(t, 'one engine alone is no choice', async (t, browser) => {
  const front = await startHarness();
  t.teardown(() => front.close());
  const { page, complaints } = await openPage(browser);
  await signIn(page, front.daemon.url, 'admin', front.password);
  const answered = page.waitForResponse('**/api/engines');
  await page.goto(`${front.daemon.url}/settings/servers`);
  await answered;
  await page.getByText(text('servers.none')).waitFor();
  t.equal(await page.getByRole('heading', { name: text('engines.title') }).count(), 0);
  await page.goto(`${front.daemon.url}/settings/accounts`);
  await accountRow(page, 'admin').waitFor();
  await page.getByRole('button', { name: text('accounts.new') }).click();
  await page.getByRole('dialog').getByLabel(text('accounts.home'), { exact: true }).waitFor();
  t.equal(await page.getByRole('dialog').getByLabel(text('accounts.engine'), { exact: true }).count(), 0);
  t.same(complaints, []);
});

void testInBrowser(t, 'an engine is drained, and used again', async (t, browser) => {
  const { front } = await startTwoEngines(t);
  const { page, complaints } = await openPage(browser, { reducedMotion: 'reduce' });
  await signIn(page, front().daemon.url, 'admin', front().password);
  await page.goto(`${front().daemon.url}/settings/servers`);
  const rows = page.getByRole('list', { name: text('engines.title') }).getByRole('listitem');
  const row = rows.filter({ hasText: 'second' });
  t.match(await row.innerText(), /\(tank, shared\)/);
  await row.getByRole('button', { name: text('engines.drainOne', { name: 'second' }) }).click();
  await row.getByText(text('engines.draining'), { exact: true }).waitFor();
  await row.getByText(text('engines.drainingAbout')).waitFor();
  t.same(await violations(page, axe), []);
  t.equal(await rows.first().getByText(text('engines.draining'), { exact: true }).count(), 0);
  await row.getByRole('button', { name: text('engines.useOne', { name: 'second' }) }).click();
  await row.getByRole('button', { name: text('engines.drainOne', { name: 'second' }) }).waitFor();
  t.equal(await row.getByText(text('engines.draining'), { exact: true }).count(), 0);
  t.same(complaints, []);
});
