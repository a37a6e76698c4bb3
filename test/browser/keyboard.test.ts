// Nothing but the keyboard: in, through the list, the menu of a torrent, paused, deleted and that undone, deleted after
// all, the sheet of shortcuts. There is no mouse in this file.
import t from 'tap';
import type { Page } from 'playwright-core';
import { startDaemon } from '../support/daemon.js';
import { waitUntil } from '../support/peers/wait-until.js';
import { openPage, testInBrowser } from './chromium.js';
import { hasFocus, tabTo } from './keys.js';

const TORRENTS = ['one', 'two', 'three'].map((name, index) => ({ name, hash: String(index + 1).repeat(40) }));
const TIMEOUT_MS = 20_000;
/** More than there are between any two places of a page. */

t.setTimeout(120_000);

void testInBrowser(t, 'by keyboard', async (t, browser) => {
  const daemon = await startDaemon();
  t.teardown(() => daemon.stop());
  for (const { name, hash } of TORRENTS) await daemon.addMagnet(`magnet:?xt=urn:btih:${hash}&dn=${name}`);
  const { page, complaints } = await openPage(browser);
  const press = (keys: string) => page.keyboard.press(keys);
  const row = (name: string) => page.getByRole('row', { name });
  const isChosen = (name: string) => page.getByRole('row', { name, selected: true }).waitFor();
  const escape = async () => {
    const dialog = page.getByRole('dialog');
    await dialog.locator(':focus').waitFor();
    await press('Escape');
    await dialog.waitFor({ state: 'detached' });
  };

  await page.goto(daemon.url);
  await page.getByLabel('Username').and(page.locator(':focus')).waitFor();
  await page.keyboard.type('admin');
  await press('Tab');
  await page.keyboard.type(daemon.adminPassword);
  await press('Enter');
  for (const { name } of TORRENTS) await row(name).waitFor();
  // The newest first, which those of one second may all be.
  const order = await Promise.all([2, 3, 4].map((place) => page.locator(`[aria-rowindex="${place}"]`).textContent()));
  const [first, second, last] = order.map((text) => TORRENTS.find(({ name }) => text?.includes(name))!);

  await t.test('a torrent is chosen and paused from its menu', async () => {
    // The keys of the list need no way to it.
    await press('Home');
    await isChosen(first!.name);
    await press('ArrowDown');
    await isChosen(second!.name);
    await press('Shift+F10');
    const menu = page.getByRole('menu');
    await menu.waitFor();
    const pause = menu.getByRole('menuitem', { name: 'Pause' });
    while ((await pause.and(page.locator(':focus, [data-highlighted]')).count()) === 0) await press('ArrowDown');
    await press('Enter');
    await menu.waitFor({ state: 'detached' });
    await daemon.waitFor(second!.hash, ({ paused }) => paused, TIMEOUT_MS);
    await row(second!.name).getByText('Paused').waitFor();
    await press('r');
    await daemon.waitFor(second!.hash, ({ paused }) => !paused, TIMEOUT_MS);
  });

  await t.test('deleted, undone, and deleted after all', async (t) => {
    await press('End');
    await isChosen(last!.name);
    await remove(page);
    await row(last!.name).waitFor({ state: 'detached' });
    await press('Control+z');
    await row(last!.name).waitFor();
    await press('End');
    await isChosen(last!.name);
    await remove(page);
    await waitUntil('two are left', TIMEOUT_MS, async () =>
      (await daemon.torrents()).length === 2 ? true : undefined,
    );
    await press('Control+z');
    t.equal(await row(last!.name).count(), 0, 'what is done is done');
  });

  await t.test('a window gives the focus back to what had it', async () => {
    const add = page.getByRole('button', { name: 'Add', exact: true });
    await add.focus();
    await press('Enter');
    await escape();
    await hasFocus(add);

    await page.getByRole('grid').focus();
    await press('Home');
    await isChosen(first!.name);
    await press('Delete');
    await escape();
    await hasFocus(page.getByRole('grid'));

    // Twice: at first the window is yet to be loaded when the menu closes.
    for (const [opens, keys] of [
      [page.getByRole('grid'), 'Shift+F10'],
      [page.getByRole('button', { name: 'More actions' }), 'Enter'],
    ] as const) {
      for (const entry of ['Rename…', 'Rename…', 'Set location…'] as const) {
        await opens.focus();
        await press(keys);
        const chosen = page.getByRole('menuitem', { name: entry }).and(page.locator(':focus, [data-highlighted]'));
        while ((await chosen.count()) === 0) await press('ArrowDown');
        await press('Enter');
        await escape();
        await hasFocus(opens);
      }
    }
  });

  await t.test('the sheet says all of it, and gives the focus back', async (t) => {
    await page.getByRole('grid').focus();
    await press('Home');
    await isChosen(first!.name);
    await press('?');
    const sheet = page.getByRole('dialog', { name: 'Keyboard shortcuts' });
    for (const line of ['Pause selected torrents', 'Undo last removal']) await sheet.getByText(line).waitFor();
    await escape();
    await hasFocus(page.getByRole('grid'));
    await press('ArrowDown');
    await isChosen(second!.name);
    await press('Enter');
    await page.getByRole('tab', { name: 'Limits' }).waitFor();
    await tabTo(page.getByRole('tab'));
    await press('End');
    await page.getByRole('tab', { name: 'Limits', selected: true }).waitFor();
    await press('Escape');
    await page.getByRole('tablist').waitFor({ state: 'detached' });
    t.equal(await page.getByRole('grid').and(page.locator(':focus')).count(), 1, 'and so do the details');
  });
  t.same(complaints, []);
});

/** The question is answered by keys as well. */
async function remove(page: Page): Promise<void> {
  await page.keyboard.press('Delete');
  const dialog = page.getByRole('dialog', { name: 'Remove this torrent?' });
  const button = dialog.getByRole('button', { name: 'Remove', exact: true });
  await dialog.waitFor();
  await tabTo(button);
  await page.keyboard.press('Enter');
  await dialog.waitFor({ state: 'detached' });
}
