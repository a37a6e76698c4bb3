// Selecting: never what is not seen, by keys right after a filter was clicked, and by fingers not by looking.
import t from 'tap';
import type { Locator, Page } from 'playwright-core';
import { waitUntil } from '../support/peers/wait-until.js';
import { openPage, testInBrowser } from './chromium.js';
import { waitForCells } from './rows.js';
import { startWorld } from './world.js';

const PHONE = { viewport: { width: 390, height: 844 }, hasTouch: true, isMobile: true };
const TABLET = { viewport: { width: 768, height: 1024 }, hasTouch: true, isMobile: true };
const TIMEOUT_MS = 15_000;
const PAUSED = 'Arch Linux 2024.05.01';

t.setTimeout(120_000);

const selected = (page: Page) => page.getByRole('row', { selected: true });
const count = (page: Page, text: string) => page.getByRole('status').filter({ hasText: text }).waitFor();

void testInBrowser(t, 'selecting on a desktop', async (t, browser) => {
  const world = await startWorld();
  t.teardown(() => world.stop());
  const { page, context, complaints } = await openPage(browser);
  await world.enter(context);
  await world.open(page);
  const filter = (name: string) =>
    page.getByRole('navigation').getByRole('button', { name: new RegExp(`^${name}\\s*\\d`) });
  const row = (name: string) => page.getByRole('row', { name });

  await t.test('Ctrl+A after a click on a filter selects torrents, not the text of the page', async (t) => {
    await filter('Downloading').click();
    await count(page, '3 torrents');
    await page.keyboard.press('Control+a');
    await count(page, '3 selected');
    t.equal(await page.evaluate('getSelection().toString()'), '');
    await page.keyboard.press('End');
    await count(page, '3 torrents');
    t.equal(await selected(page).count(), 1, 'and the arrows move in the list');
  });

  await t.test('what a filter hides is not selected any more', async (t) => {
    await filter('All').click();
    await page.keyboard.press('Control+a');
    await count(page, '5 selected');
    await filter('Paused').click();
    await waitForCells(page, 'name', [PAUSED]);
    await page.keyboard.press('Delete');
    await page.getByRole('dialog', { name: 'Remove this torrent?' }).getByText(PAUSED).waitFor();
    await page.keyboard.press('Escape');
    await filter('All').click();
    await count(page, '5 torrents');
    t.equal(await selected(page).count(), 1, 'nor when it is seen again');
  });

  await t.test('what the search hides, or what leaves the filter by itself, is not either', async (t) => {
    await row('whole.bin').click();
    await page.getByRole('combobox', { name: 'Search' }).fill('debian');
    await waitForCells(page, 'name', [world.torrentName]);
    const pause = page.getByRole('toolbar').getByRole('button', { name: 'Pause' });
    t.equal(await pause.getAttribute('aria-disabled'), 'true');
    await page.getByRole('combobox', { name: 'Search' }).fill('');
    await filter('Downloading').click();
    await row('Ubuntu').click();
    await row('Ubuntu').and(selected(page)).waitFor();
    const ubuntu = (await world.daemon.torrents()).find(({ name }) => name.startsWith('Ubuntu'))!;
    await world.daemon.api('POST', `/api/torrents/${ubuntu.id}/pause`);
    await row('Ubuntu').waitFor({ state: 'detached' });
    t.equal(await pause.getAttribute('aria-disabled'), 'true');
    await world.daemon.api('POST', `/api/torrents/${ubuntu.id}/resume`);
    await row('Ubuntu').waitFor();
    t.equal(await selected(page).count(), 0);
  });

  await t.test('the row that the keys are at is framed, not the list', async (t) => {
    await page.keyboard.press('Home');
    await selected(page).waitFor();
    const outline = (selector: string) =>
      page.evaluate(`getComputedStyle(document.querySelector('${selector}')).outlineStyle`);
    t.equal(await outline('[role=grid]'), 'none');
    t.equal(await outline('[role=row][aria-selected=true]'), 'solid');
  });
  t.same(complaints, []);
});

void testInBrowser(t, 'selecting on a phone', async (t, browser) => {
  const world = await startWorld();
  t.teardown(() => world.stop());
  const { page, context, complaints } = await openPage(browser, PHONE);
  await world.enter(context);
  await world.open(page);
  const card = (name: string) => page.getByRole('row', { name });
  const box = (name: string) => card(name).getByRole('gridcell').first();

  await t.test('a torrent that was looked at is not selected', async (t) => {
    await card(world.torrentName).tap();
    const sheet = page.getByRole('dialog', { name: world.torrentName });
    await sheet.waitFor();
    await page.goBack();
    await sheet.waitFor({ state: 'detached' });
    t.equal(await selected(page).count(), 0);
    await box('whole.bin').tap();
    await count(page, '1 selected');
  });

  await t.test('while any is selected a tap selects, and one button ends it', async (t) => {
    await card('Ubuntu').tap();
    await count(page, '2 selected');
    await card('Ubuntu').tap();
    await count(page, '1 selected');
    await page.getByRole('button', { name: 'Deselect all' }).tap();
    await count(page, '5 torrents');
    t.equal(await selected(page).count(), 0);
  });

  await t.test('a held finger begins to select, and opens nothing', async (t) => {
    await hold(page, card('Fedora'));
    await card('Ubuntu').tap();
    await count(page, '2 selected');
    t.equal(await page.getByRole('dialog').count(), 0);
    t.equal(await page.getByRole('menu').count(), 0);
  });

  await t.test('one tap more selects all that are shown, and another none', async (t) => {
    const all = page.getByRole('checkbox', { name: 'Select all' });
    t.equal(await all.evaluate((box: { indeterminate: boolean }) => box.indeterminate), true);
    await all.tap();
    await count(page, '5 selected');
    await all.tap();
    await count(page, '5 torrents');
    t.equal(await selected(page).count(), 0);
  });
  t.same(complaints, []);
});

void testInBrowser(t, 'selecting on a tablet', async (t, browser) => {
  const world = await startWorld();
  t.teardown(() => world.stop());
  const { page, context, complaints } = await openPage(browser, TABLET);
  await world.enter(context);
  await world.open(page);
  const row = (name: string) => page.getByRole('row', { name });
  const details = (name: string) => page.getByRole('heading', { name, exact: true });
  const opened = page.locator('[role=row][aria-current=true]');
  t.ok(await page.getByRole('columnheader', { name: 'Name' }).isVisible(), 'rows, no cards');

  await t.test('one tap opens the details, and selects nothing', async (t) => {
    await row(world.torrentName).tap();
    await details(world.torrentName).waitFor();
    await row('whole.bin').tap();
    await details('whole.bin').waitFor();
    t.equal(await selected(page).count(), 0);
    await row('whole.bin').and(opened).waitFor();
    t.equal(await opened.count(), 1, 'whose they are is marked');
    await page.getByRole('button', { name: 'Close' }).tap();
    await opened.waitFor({ state: 'detached' });
  });

  await t.test('the row stays in sight when they come below it', async () => {
    await page.setViewportSize({ width: 768, height: 520 });
    await row(world.torrentName).tap();
    await details(world.torrentName).waitFor();
    const bottomOf = async (shown: Locator) => {
      const { y, height } = (await shown.boundingBox())!;
      return y + height;
    };
    const list = page.getByRole('grid');
    // Heights of elements that are scrolled are told in whole pixels.
    const isWhole = async () => (await bottomOf(opened)) < (await bottomOf(list)) + 1;
    await waitUntil('it is whole', TIMEOUT_MS, async () => (await isWhole()) || undefined);
    await page.setViewportSize(TABLET.viewport);
  });

  await t.test('a held finger begins to select, and from then on taps do', async (t) => {
    await hold(page, row('Fedora'));
    await row('Ubuntu').tap();
    await count(page, '2 selected');
    await row('Ubuntu').tap();
    await row('Fedora').tap();
    await count(page, '5 torrents');
    t.equal(await selected(page).count(), 0);
    t.equal(await page.getByRole('menu').count(), 0);
  });

  await t.test('a mouse beside it selects by one click, and opens by two', async (t) => {
    await page.getByRole('button', { name: 'Close' }).tap();
    await page.getByRole('tablist').waitFor({ state: 'detached' });
    await row('whole.bin').click();
    await row('whole.bin').and(selected(page)).waitFor();
    await row('Ubuntu').click();
    await row('Ubuntu').and(selected(page)).waitFor();
    t.equal(await selected(page).count(), 1);
    t.equal(await page.getByRole('tablist').count(), 0);
    await row('Ubuntu').dblclick();
    await page.getByRole('tablist').waitFor();
  });
  t.same(complaints, []);
});

/** Keeps a finger on the row until that is selected. */
async function hold(page: Page, row: Locator): Promise<void> {
  const cdp = await page.context().newCDPSession(page);
  const { x, y, height } = (await row.boundingBox())!;
  const points = [{ x: x + 150, y: y + height / 2 }];
  await cdp.send('Input.dispatchTouchEvent', { type: 'touchStart', touchPoints: points });
  await row.and(selected(page)).waitFor();
  await cdp.send('Input.dispatchTouchEvent', { type: 'touchEnd', touchPoints: [] });
}
