// The order of the list: what one looks for is at the top with one click, and what has nothing in the column at the end.
import t from 'tap';
import { openPage, showAllColumns, testInBrowser } from './chromium.js';
import { cellsOf, waitForCells } from './rows.js';
import { startWorld } from './world.js';

const BY_SIZE = [
  'Arch Linux 2024.05.01',
  'Fedora-Workstation-40',
  'Ubuntu 24.04 desktop amd64',
  'Debian.12.5.netinst',
  'whole.bin',
];

t.setTimeout(120_000);

void testInBrowser(t, 'the order of the list', async (t, browser) => {
  const world = await startWorld();
  t.teardown(() => world.stop());
  const { daemon } = world;
  const { page, context, complaints } = await openPage(browser, { viewport: { width: 1920, height: 800 } });
  await showAllColumns(world.daemon);
  await world.enter(context);
  await world.open(page);
  const head = (name: string) => page.getByRole('columnheader', { name, exact: true }).getByRole('button');

  await t.test('the first click on a figure begins with the most, the second turns it round', async () => {
    await head('Size').click();
    await waitForCells(page, 'name', BY_SIZE);
    await head('Size').click();
    await waitForCells(page, 'name', [...BY_SIZE].reverse());
    await head('Name').click();
    await waitForCells(page, 'name', [...BY_SIZE].sort());
  });

  await t.test('torrents without a time left come after those with one, whichever way round', async (t) => {
    for (const times of ['upwards', 'downwards']) {
      await head('ETA').click();
      await page.getByRole('columnheader', { name: 'ETA' }).and(page.locator(':not([aria-sort=none])')).waitFor();
      await waitForCells(page, 'eta', ['∞', '∞', '∞', '', '']);
      t.pass(times);
    }
  });

  await t.test('categories are in the order of their names, in the list and where one chooses', async (t) => {
    // Made last, and first by name.
    const made = await daemon.api('POST', '/api/categories', { name: 'alpha', default_save_path: '', color: '' });
    const fedora = (await daemon.torrents()).find(({ name }) => name.startsWith('Fedora'));
    await daemon.api('POST', '/api/torrents/category', { infohash: fedora?.id, category_id: made.json['id'] });
    await page.reload();
    await page.getByText(world.torrentName).first().waitFor();
    await head('Category').click();
    await waitForCells(page, 'category', ['alpha', 'Films', '', '', '']);
    await head('Category').click();
    await waitForCells(page, 'category', ['Films', 'alpha', '', '', '']);
    const sections = page.getByRole('navigation').locator('details').filter({ hasText: 'Categories' });
    const names = await sections.locator('button').allInnerTexts();
    t.same(
      names.map((text) => text.split('\n')[0]).filter((name) => name !== 'Uncategorized'),
      ['alpha', 'Films', 'Linux'],
    );
  });
  t.equal((await cellsOf(page, 'name')).length, BY_SIZE.length);
  t.same(complaints, []);
});
