// What is done most often, with the mouse and on a phone: in so many clicks and no more.
import { join } from 'node:path';
import t from 'tap';
import { testInBrowser } from './chromium.js';
import { FILM, OWING, REFUSED, SLOW, startTasks } from './eight-tasks.js';
import { cellsOf, waitForCells } from './rows.js';

const PHONE = { viewport: { width: 390, height: 844 }, hasTouch: true, isMobile: true };

t.setTimeout(240_000);

void testInBrowser(t, 'with the mouse', async (t, browser) => {
  const tasks = await startTasks(t, browser, { viewport: { width: 1440, height: 900 } });
  const { page, hand, daemon } = tasks;
  const filter = (name: string) =>
    page.getByRole('navigation').getByRole('button', { name: new RegExp(`^${name}\\s*\\d`) });
  const dialog = page.getByRole('dialog');
  const inDialog = (name: string) => dialog.getByRole('button', { name, exact: true });
  const all = page.getByLabel('Select all');

  await t.test('what owes ratio', async (t) => {
    await tasks.begin();
    await hand.click(filter('Completed'));
    await hand.click(page.getByRole('columnheader', { name: 'Ratio' }).getByRole('button'));
    await hand.click(page.getByRole('columnheader', { name: 'Ratio' }).getByRole('button'));
    await page.getByRole('columnheader', { name: 'Ratio' }).and(page.locator('[aria-sort=ascending]')).waitFor();
    t.same([...(await cellsOf(page, 'name'))].slice(0, 2).sort(), OWING);
    t.ok(hand.takeCounts().clicks <= 3);
  });

  await t.test('unregistered torrents, removed with their data', async (t) => {
    await tasks.begin();
    await hand.click(filter('Unregistered'));
    await waitForCells(page, 'name', [REFUSED]);
    await hand.click(all);
    await hand.click(page.getByRole('toolbar').getByRole('button', { name: 'Remove…' }));
    await hand.click(dialog.getByRole('checkbox'));
    await hand.click(inDialog('Remove'));
    await tasks.isRemoved(REFUSED);
    t.ok(hand.takeCounts().clicks <= 5);
  });

  await t.test('a category, moved', async (t) => {
    await tasks.begin();
    await hand.click(filter('Films'));
    await waitForCells(page, 'name', [FILM]);
    await hand.click(all);
    await hand.click(page.getByRole('row', { name: FILM }), 'right');
    await hand.click(page.getByRole('menuitem', { name: 'Set location…' }));
    const target = join(daemon.savePath, 'films');
    await dialog.getByLabel('Save path').fill(target);
    await hand.click(inDialog('Move'));
    await tasks.isMovedTo(target);
    t.ok(hand.takeCounts().clicks <= 5);
  });

  await t.test('one file of a magnet', async (t) => {
    await tasks.begin();
    await hand.click(page.getByRole('button', { name: 'Add', exact: true }).first());
    await dialog.getByLabel('Magnet links').fill(tasks.magnet);
    await hand.click(inDialog('Show files'));
    await hand.click(inDialog('None'));
    await hand.click(dialog.getByRole('checkbox', { name: 'b.bin' }));
    await hand.click(inDialog('Add'));
    await tasks.hasOneFile();
    t.ok(hand.takeCounts().clicks <= 5);
  });

  await t.test('the traffic of the last month by tracker', async (t) => {
    await tasks.begin();
    await hand.click(page.getByRole('link', { name: 'Statistics' }).first());
    await hand.click(page.getByRole('button', { name: '30 days' }));
    const trackers = page.getByRole('region', { name: 'Trackers', exact: true });
    await trackers.getByRole('row').filter({ hasText: 'Trackerless' }).waitFor();
    t.ok(hand.takeCounts().clicks <= 2);
  });

  await t.test('why a torrent is slow', async (t) => {
    await tasks.begin();
    await hand.doubleClick(page.getByRole('row', { name: SLOW }));
    await hand.click(page.getByRole('tab', { name: 'Speed' }));
    await page.getByRole('region', { name: 'What limits the speed' }).getByRole('listitem').getByText(/peer/).waitFor();
    t.ok(hand.takeCounts().clicks <= 3);
  });
  t.same(tasks.complaints, []);
});

void testInBrowser(t, 'on a phone', async (t, browser) => {
  const tasks = await startTasks(t, browser, PHONE);
  const { page, hand, daemon } = tasks;
  const dialog = page.getByRole('dialog');
  const inDialog = (name: string) => dialog.getByRole('button', { name, exact: true });
  const row = (name: string) => page.getByRole('row', { name });
  const choose = async (name: string) => {
    await hand.click(page.getByRole('button', { name: 'Navigation and filters' }));
    await hand.click(page.getByRole('navigation').getByRole('button', { name: new RegExp(`^${name}\\s*\\d`) }));
  };
  const selectAll = async () => {
    await hand.click(page.getByRole('button', { name: 'Sort by' }));
    await hand.click(page.getByRole('menuitem', { name: 'Select all' }));
  };

  await t.test('what owes ratio', async (t) => {
    await tasks.begin();
    await hand.click(page.getByRole('combobox', { name: 'Search' }));
    await hand.type('is:completed ratio<1');
    await page.getByRole('status').filter({ hasText: '2 torrents' }).waitFor();
    for (const name of OWING) await row(name).waitFor();
    t.ok(hand.takeCounts().clicks <= 1);
  });

  await t.test('unregistered torrents, removed with their data', async (t) => {
    await tasks.begin();
    await choose('Unregistered');
    await page.getByRole('status').filter({ hasText: '1 torrent' }).waitFor();
    await selectAll();
    await hand.click(page.getByRole('toolbar').getByRole('button', { name: 'Remove…' }));
    await hand.click(dialog.getByRole('checkbox'));
    await hand.click(inDialog('Remove'));
    await tasks.isRemoved(REFUSED);
    t.ok(hand.takeCounts().clicks <= 7);
  });

  await t.test('a category, moved', async (t) => {
    await tasks.begin();
    await choose('Films');
    await row(FILM).waitFor();
    await selectAll();
    await hand.click(page.getByRole('button', { name: 'More actions' }));
    await hand.click(page.getByRole('menuitem', { name: 'Set location…' }));
    const target = join(daemon.savePath, 'films');
    await dialog.getByLabel('Save path').fill(target);
    await hand.click(inDialog('Move'));
    await tasks.isMovedTo(target);
    t.ok(hand.takeCounts().clicks <= 7);
  });
  t.same(tasks.complaints, []);
});
