// What is done most often, with the keyboard alone.
import { join } from 'node:path';
import t from 'tap';
import { testInBrowser } from './chromium.js';
import { FILM, OWING, REFUSED, SLOW, startTasks } from './eight-tasks.js';
import { cellsOf, waitForCells } from './rows.js';

t.setTimeout(240_000);

void testInBrowser(t, 'with the keyboard alone', async (t, browser) => {
  const tasks = await startTasks(t, browser, { viewport: { width: 1440, height: 900 } });
  const { page, hand, daemon } = tasks;
  const dialog = page.getByRole('dialog');
  const inDialog = (name: string) => dialog.getByRole('button', { name, exact: true });
  /** Ends in the list, at the first that is found. */
  const find = async (text: string, ...names: readonly string[]) => {
    await hand.press('/');
    await page.getByRole('combobox', { name: 'Search' }).and(page.locator(':focus')).waitFor();
    await hand.type(text);
    if (names.length === 1) await waitForCells(page, 'name', names);
    await hand.press('Enter');
  };

  await t.test('what owes ratio', async (t) => {
    await tasks.begin();
    await find('is:completed ratio<1');
    await page.getByRole('status').filter({ hasText: '2 torrents' }).waitFor();
    t.same([...(await cellsOf(page, 'name'))].sort(), OWING);
    t.same(hand.takeCounts(), { clicks: 0, keys: 2 });
  });

  await t.test('unregistered torrents, removed with their data', async (t) => {
    await tasks.begin();
    await find('is:unregistered', REFUSED);
    await hand.press('Control+a', 'Delete');
    await dialog.getByRole('checkbox').and(page.locator(':focus')).waitFor();
    await hand.press('Space', 'Enter');
    await tasks.isRemoved(REFUSED);
    t.same(hand.takeCounts(), { clicks: 0, keys: 6 });
  });

  await t.test('a category, moved', async (t) => {
    await tasks.begin();
    await find('cat:films', FILM);
    await hand.press('Control+a', 'Shift+F10');
    const entry = page.getByRole('menuitem', { name: 'Set location…' });
    await entry.waitFor();
    while ((await entry.and(page.locator(':focus, [data-highlighted]')).count()) === 0) await hand.press('ArrowDown');
    await hand.press('Enter');
    const field = dialog.getByLabel('Save path').and(page.locator(':focus'));
    await field.waitFor();
    const target = join(daemon.savePath, 'films');
    await hand.press('Control+a');
    await hand.type(target);
    await hand.press('Enter');
    await tasks.isMovedTo(target);
    t.equal(hand.takeCounts().clicks, 0);
  });

  await t.test('one file of a magnet', async (t) => {
    await tasks.begin();
    await hand.press('a');
    await dialog.getByLabel('Magnet links').and(page.locator(':focus')).waitFor();
    await hand.type(tasks.magnet);
    await hand.tabTo(inDialog('Show files'));
    await hand.press('Enter');
    await hand.tabTo(inDialog('None'));
    await hand.press('Enter');
    await hand.tabTo(dialog.getByRole('checkbox', { name: 'b.bin' }));
    await hand.press('Space');
    await hand.tabTo(inDialog('Add'));
    await hand.press('Enter');
    await tasks.hasOneFile();
    t.equal(hand.takeCounts().clicks, 0);
  });

  await t.test('the traffic of the last month by tracker', async (t) => {
    await tasks.begin();
    await hand.press('g', 'd');
    await hand.tabTo(page.getByRole('button', { name: '30 days' }));
    await hand.press('Enter');
    await page.getByRole('button', { name: '30 days', pressed: true }).waitFor();
    const trackers = page.getByRole('region', { name: 'Trackers', exact: true });
    await trackers.getByRole('row').filter({ hasText: 'Trackerless' }).waitFor();
    t.equal(hand.takeCounts().clicks, 0);
  });

  await t.test('why a torrent is slow', async (t) => {
    await tasks.begin();
    await find('slow', SLOW);
    await hand.press('ArrowDown');
    await page.getByRole('row', { name: SLOW, selected: true }).waitFor();
    await hand.press('Enter');
    await hand.tabTo(page.getByRole('tab', { name: 'Overview' }));
    const speed = page.getByRole('tab', { name: 'Speed', selected: true });
    while ((await speed.count()) === 0) await hand.press('ArrowRight');
    await page.getByRole('region', { name: 'What limits the speed' }).getByRole('listitem').getByText(/peer/).waitFor();
    t.equal(hand.takeCounts().clicks, 0);
  });
  t.same(tasks.complaints, []);
});
