// Feeds: added, filtered with a preview at each key, deleted with time to think; what an account may not do it is told;
// and a session that ends leaves the page where it is.
import t from 'tap';
import { waitUntil } from '../support/peers/wait-until.js';
import { openPage, testInBrowser } from './chromium.js';
import { startWorld } from './world.js';

t.setTimeout(120_000);

void testInBrowser(t, 'feeds', async (t, browser) => {
  const world = await startWorld();
  t.teardown(() => world.stop());
  const { daemon } = world;

  await t.test('filters with a preview', async (t) => {
    const { page, context, complaints } = await openPage(browser);
    await world.enter(context);
    await page.goto(`${daemon.url}/feeds`);
    await page.getByText('Debian.12.5.netinst.iso').waitFor();
    await page.getByRole('button', { name: 'Add filter' }).click();
    const pattern = page.getByLabel('Pattern');
    t.equal(await pattern.and(page.locator(':focus')).count(), 1, 'typed into at once');
    const count = page.getByRole('form', { name: 'New filter' }).getByRole('status');
    const marked = page.getByRole('listitem').filter({ hasText: 'matches' });
    for (const { typed, said, shown } of [
      { typed: '', said: '24 of 24 items match', shown: 24 },
      { typed: 'S01E0?[12]\\.', said: '2 of 24 items match', shown: 2 },
      { typed: '(?i)LINUX', said: '1 of 24 items match', shown: 1 },
      { typed: '(unfinished', said: /^No preview/, shown: null },
      { typed: '(?P<name>Debian|Ubuntu)', said: '2 of 24 items match', shown: 2 },
    ]) {
      await pattern.fill(typed);
      await count.filter({ hasText: said }).waitFor();
      if (shown !== null) t.equal(await marked.count(), shown, typed);
    }
    await pattern.fill('(?:(?:\\w+\\.?)+)+!');
    await count.filter({ hasText: /0 of 24|too slow/ }).waitFor();
    await pattern.fill('S01E0?[12]\\.');
    await page.getByLabel('Must not match').fill('E2');
    await count.filter({ hasText: '1 of 24 items match' }).waitFor();
    t.equal(await marked.count(), 1, 'without what must not match');
    await page.getByLabel('Must not match').fill('unwanted');
    await page.getByLabel('keep').check();
    await page.getByLabel('Add paused').check();
    await pattern.fill('*');
    await page.getByRole('button', { name: 'Save' }).click();
    await page.getByText(/missing argument to repetition operator/).waitFor();
    await pattern.fill('linux');
    await page.getByLabel('Ignore case').check();
    t.equal(await pattern.inputValue(), '(?i)linux');
    await page.getByRole('button', { name: 'Save' }).click();
    await page.getByText('Filter saved.').waitFor();
    const { json } = await daemon.api<readonly object[]>('GET', '/api/feeds/1/filters');
    t.match(json.at(-1), { regex: '(?i)linux', exclude_regex: 'unwanted', tag_ids: [1], paused: true });
    await page.getByText('but not unwanted').waitFor();
    await page.getByText('1 of 24 items match').waitFor();

    await page.getByRole('button', { name: 'Delete filter (?i)linux' }).click();
    await page.getByRole('button', { name: 'Undo' }).click();
    await page.getByRole('button', { name: 'Delete filter (?i)linux' }).waitFor();

    await page.getByRole('button', { name: 'Add Some.Show.S01E3.1080p.WEB.x264' }).click();
    await page.getByText('Added', { exact: true }).waitFor();
    t.ok(await daemon.torrent('6'.padStart(40, 'a')), 'the one that was pressed');
    t.same(complaints, []);
    await context.close();
  });

  await t.test('an item says when it came, how large it is, and whether it was added; words find it', async (t) => {
    const { page, context, complaints } = await openPage(browser, { locale: 'en-GB', timezoneId: 'UTC' });
    await world.enter(context);
    await page.goto(`${daemon.url}/feeds`);
    const item = (name: string) => page.getByRole('listitem').filter({ hasText: name });
    await item('Fedora-Workstation-40').getByText('8 May 2024, 00:00 · 2.05 GiB').waitFor();
    await item('Some.Show.S01E3.1080p').getByText('In your list').waitFor();
    t.equal(await item('Some.Show.S01E4.1080p').getByText('In your list').count(), 0);
    await page.getByRole('searchbox', { name: 'Search items' }).fill('x264 s01e1 SOME');
    await item('Fedora').waitFor({ state: 'detached' });
    t.equal(await page.getByRole('listitem').filter({ hasText: 'Some.Show' }).count(), 11);
    await page.getByRole('searchbox', { name: 'Search items' }).fill('nothing such');
    await page.getByText('No matching items.').waitFor();
    t.same(complaints, []);
    await context.close();
  });

  await t.test('an item added by hand goes where its filter would have put it', async (t) => {
    const { page, context, complaints } = await openPage(browser);
    await world.enter(context);
    // On this page only: the server would be quicker than a hand.
    await page.route('**/api/feeds/1/filters', async (route) => {
      const filters = (await (await route.fetch()).json()) as object[];
      const second = { ...filters[0], id: 99, regex: '.', category_id: 2, save_path: '/elsewhere', enabled: true };
      await route.fulfill({ json: [{ ...filters[0], enabled: true }, second] });
    });
    await page.goto(`${daemon.url}/feeds`);
    await page.getByText('24 of 24 items match').first().waitFor();
    for (const said of ['Added', 'Already in your list']) {
      const button = page.getByRole('button', { name: 'Add Debian.12.5.netinst.iso' });
      t.match(await button.getAttribute('title'), 'with the settings of the filter (?i)debian.*netinst');
      const sent = page.waitForRequest('**/api/torrents/url');
      await button.click();
      const url = `magnet:?xt=urn:btih:${'0'.padStart(40, 'a')}`;
      t.same((await sent).postDataJSON(), { url, category_id: 1, save_path: '' });
      await page.getByText(said, { exact: true }).waitFor();
      await page.reload();
      await page.getByText('24 of 24 items match').first().waitFor();
    }
    t.same(complaints, []);
    await context.close();
  });

  await t.test('a feed is added, refused at the field, edited and deleted', async (t) => {
    const { page, context, complaints } = await openPage(browser);
    await world.enter(context);
    await page.goto(`${daemon.url}/feeds`);
    await page.getByRole('button', { name: 'Add feed' }).click();
    await page.getByLabel('Feed URL').fill('ftp://feeds.invalid/');
    await page.getByRole('button', { name: 'Add', exact: true }).click();
    await page.getByRole('alert').filter({ hasText: /http/ }).waitFor();
    await page.getByLabel('Feed URL').fill('https://other.invalid/rss');
    await page.getByRole('button', { name: 'Add', exact: true }).click();
    await page.getByRole('heading', { name: 'other.invalid' }).waitFor();
    await page.getByRole('button', { name: 'Edit', exact: true }).click();
    await page.getByLabel('Name').fill('Others');
    await page.getByRole('button', { name: 'Save' }).click();
    await page.getByRole('heading', { name: 'Others' }).waitFor();
    await page.getByRole('button', { name: 'Delete', exact: true }).click();
    await page.getByRole('heading', { name: 'Others' }).waitFor({ state: 'detached' });
    await page.goto(`${daemon.url}/settings`);
    // Whoever leaves has had time to think; the request outlives the page.
    await waitUntil('the feed is deleted', 10_000, async () => {
      const { json } = await daemon.api<readonly { name: string }[]>('GET', '/api/feeds');
      return json.some(({ name }) => name === 'Others') ? undefined : true;
    });
    t.same(complaints, []);
    await context.close();
  });

  await t.test('who may not manage feeds sees why', async (t) => {
    const { page, context, complaints } = await openPage(browser);
    await world.enter(context, 'viewer');
    await page.goto(`${daemon.url}/feeds`);
    await page.getByText('You need the “Manage feeds” permission').waitFor();
    t.equal(
      await page.getByRole('button', { name: 'Add feed' }).getAttribute('title'),
      'You don’t have permission to manage feeds.',
    );
    t.equal(await page.getByRole('button', { name: 'Add filter' }).count(), 0);
    t.same(complaints, []);
    await context.close();
  });

  await t.test('a session that has ended: in again, and on where it was', async (t) => {
    const { page, context, complaints } = await openPage(browser);
    await world.enter(context);
    await page.goto(`${daemon.url}/feeds`);
    await page.getByText('Debian.12.5.netinst.iso').waitFor();
    await page.getByRole('button', { name: 'Add filter' }).click();
    await page.getByLabel('Pattern').fill('kept');
    await context.clearCookies();
    await page.getByRole('button', { name: 'Refresh' }).click();
    const dialog = page.getByRole('dialog', { name: 'Sign in' });
    await dialog.waitFor();
    await page.keyboard.press('Escape');
    await page.keyboard.press('Escape');
    t.ok(await dialog.isVisible(), 'it cannot be closed');
    t.equal(await page.getByLabel('Username').inputValue(), 'admin');
    for (let i = 0; i < 6; i++) await page.keyboard.press('Tab');
    const isWithin = `document.activeElement === document.body || document.querySelector('dialog').contains(document.activeElement)`;
    t.ok(await page.evaluate(isWithin), 'the page behind cannot be reached');
    await page.getByLabel('Password').fill(daemon.adminPassword);
    await page.keyboard.press('Enter');
    await dialog.waitFor({ state: 'detached' });
    t.equal(await page.getByLabel('Pattern').inputValue(), 'kept');
    t.same(complaints, []);
    await context.close();
  });

  await t.test('the drawer of a phone', async (t) => {
    const { page, context, complaints } = await openPage(browser, { viewport: { width: 360, height: 740 } });
    await world.enter(context);
    await world.open(page);
    const button = page.getByRole('button', { name: 'Navigation and filters' });
    await button.click();
    const drawer = page.getByRole('navigation', { name: 'Navigation and filters' });
    await drawer.locator(':focus').waitFor();
    t.equal(await page.evaluate(`document.querySelector('main').inert`), true);
    await page.keyboard.press('Escape');
    await drawer.waitFor({ state: 'hidden' });
    t.equal(await button.and(page.locator(':focus')).count(), 1, 'gives the focus back');
    await page.getByRole('navigation', { name: 'Pages', exact: true }).getByText('Feeds').click();
    await page.getByRole('button', { name: 'Linux releases' }).click();
    await page.getByText('Debian.12.5.netinst.iso').waitFor();
    t.equal(await page.evaluate('document.documentElement.scrollWidth'), 360, 'nothing is wider than the screen');
    await page.getByRole('button', { name: 'All feeds' }).click();
    await page.getByRole('button', { name: 'Linux releases' }).waitFor();
    t.same(complaints, []);
    await context.close();
  });
});
