// Other servers on the page: set up, tested, their torrents paused and brought here, and what an account sees that is no
// administrator.
import t from 'tap';
import { t as text } from '../../api/web/src/strings/index.js';
import { waitUntil } from '../support/peers/wait-until.js';
import { keyOf } from '../support/remotes.js';
import { startDaemon } from '../support/daemon.js';
import { speakAll } from '../support/texts.js';
import { openPage, testInBrowser } from './chromium.js';
import { elsewhere, SERVER } from './elsewhere.js';
import { startWorld } from './world.js';

const TIMEOUT_MS = 30_000;

await speakAll('en');

void testInBrowser(t, 'a server is set up, and its torrents are worked on', async (t, browser) => {
  const world = await startWorld();
  t.teardown(() => world.stop());
  const { page, context, complaints } = await openPage(browser);
  await world.enter(context);
  const other = await startDaemon();
  t.teardown(() => other.stop());
  const id = await other.addMagnet(`magnet:?xt=urn:btih:${'d'.repeat(40)}&dn=Distant.iso`);
  const key = await keyOf(other, 'front');

  await page.goto(`${world.daemon.url}/settings/servers`);
  await page.getByText(text('servers.none')).waitFor();
  await page.getByRole('button', { name: text('servers.add') }).click();
  const dialog = page.getByRole('dialog');
  await dialog.getByLabel(text('servers.name'), { exact: true }).fill('cellar');
  await dialog.getByLabel(text('servers.url'), { exact: true }).fill('ftp://nowhere');
  await dialog.getByLabel(text('servers.key'), { exact: true }).fill(key);
  await dialog.getByRole('button', { name: text('servers.add') }).click();
  await dialog.getByText('Enter an http or https URL.').waitFor();
  await dialog.getByLabel(text('servers.url'), { exact: true }).fill(other.url);
  await dialog.getByRole('button', { name: text('servers.add') }).click();
  await dialog.waitFor({ state: 'detached' });
  const row = page.getByRole('listitem').filter({ hasText: 'cellar' }).first();
  await row.getByText(text('servers.states.connected')).waitFor();

  await row.getByRole('button', { name: text('servers.actionsOf', { name: 'cellar' }) }).click();
  await page.getByRole('menuitem', { name: text('servers.test') }).click();
  await page.getByText(/^cellar runs Swarmd .+; the key is that of front; .+ free\.$/).waitFor();

  await page.getByRole('button', { name: text('servers.actionsOf', { name: 'Distant.iso' }) }).click();
  await page.getByRole('menuitem', { name: text('servers.pause') }).click();
  await waitUntil('paused there', TIMEOUT_MS, async () => (await other.torrent(id)).paused || undefined);
  await page.getByLabel(text('servers.search')).fill('nothing like it');
  await page.getByText(text('servers.noTorrents')).waitFor();
  await page.getByLabel(text('servers.search')).fill('distant');
  await page.getByRole('button', { name: text('servers.actionsOf', { name: 'Distant.iso' }) }).click();
  await page.getByRole('menuitem', { name: text('servers.bring') }).click();
  await page.getByText(text('server.torrentNotWhole')).waitFor();
  await page.getByRole('button', { name: text('servers.actionsOf', { name: 'Distant.iso' }) }).click();
  await page.getByRole('menuitem', { name: text('servers.remove') }).click();
  await page
    .getByRole('dialog')
    .getByRole('button', { name: text('servers.removeConfirm') })
    .click();
  await waitUntil('removed there', TIMEOUT_MS, async () => ((await other.torrents()).length === 0 ? true : undefined));

  await row.getByRole('button', { name: text('servers.actionsOf', { name: 'cellar' }) }).click();
  await page.getByRole('menuitem', { name: text('servers.delete') }).click();
  await page
    .getByRole('dialog')
    .getByRole('button', { name: text('servers.delete') })
    .click();
  await page.getByText(text('servers.none')).waitFor();
  t.same(complaints, []);
});

void testInBrowser(t, 'another account sees what is shared with it, and sets nothing up', async (t, browser) => {
  const world = await startWorld();
  t.teardown(() => world.stop());
  await elsewhere(world.daemon);
  const { page, context, complaints } = await openPage(browser);
  await world.enter(context, 'viewer');
  await page.goto(`${world.daemon.url}/settings/servers`);
  await page.getByText(text('servers.none')).waitFor();
  t.equal(await page.getByRole('button', { name: text('servers.add') }).count(), 0);
  const [remote] = (await world.daemon.api<{ id: number }[]>('GET', '/api/remotes')).json;
  const users = (await world.daemon.api<{ id: number; username: string }[]>('GET', '/api/users')).json;
  const viewer = users.find(({ username }) => username === 'viewer')!;
  await world.daemon.api('PUT', `/api/remotes/${remote!.id}`, { user_ids: [1, viewer.id] });
  await page.getByText(SERVER, { exact: true }).waitFor();
  await page.getByText('Elsewhere.iso').waitFor();
  t.equal(await page.getByRole('button', { name: text('servers.actionsOf', { name: SERVER }) }).count(), 0);
  t.same(complaints, []);
});
