// The search offers what can be typed: operators and the names that there are, by keys, mouse and thumb.
import t from 'tap';
import type { Page } from 'playwright-core';
import { waitUntil } from '../support/peers/wait-until.js';
import { openPage, testInBrowser } from './chromium.js';
import { waitForCells } from './rows.js';
import { startWorld } from './world.js';

t.setTimeout(120_000);

const search = (page: Page) => page.getByRole('combobox', { name: 'Search' });
const list = (page: Page) => page.getByRole('listbox', { name: 'What can be typed' });
const option = (page: Page, name: string) => list(page).getByRole('option', { name });
const active = (page: Page) => list(page).locator('[role=option][aria-selected=true]');

void testInBrowser(t, 'completion in the search', async (t, browser) => {
  const world = await startWorld();
  t.teardown(() => world.stop());
  const { page, context, complaints } = await openPage(browser);
  await world.enter(context);
  await world.open(page);
  const press = (key: string) => page.keyboard.press(key);
  const waitForText = (text: string) =>
    waitUntil(text, 15_000, async () => (await search(page).inputValue()) === text || undefined);

  await t.test('arrows go through all operators, and Enter takes one and what is behind it', async (t) => {
    await press('/');
    t.equal(await list(page).count(), 0, 'the focus alone opens nothing');
    await press('ArrowDown');
    await option(page, 'tracker: By tracker').waitFor();
    t.equal(await search(page).getAttribute('aria-expanded'), 'true');
    await press('ArrowDown');
    await active(page).filter({ hasText: 'tag:' }).waitFor();
    const id = await active(page).getAttribute('id');
    t.equal(await search(page).getAttribute('aria-activedescendant'), id);
    await press('Enter');
    await waitForText('tag:');
    await option(page, 'tag:keep').waitFor();
    await press('ArrowDown');
    await press('Enter');
    await waitForText('tag:keep ');
    await list(page).waitFor({ state: 'detached' });
    await page.getByRole('status').filter({ hasText: '2 torrents' }).waitFor();
  });

  await t.test('Tab completes what is begun, and goes on where nothing is', async (t) => {
    await page.keyboard.type('-cat:fi');
    await option(page, '-cat:Films').waitFor();
    await press('Tab');
    await waitForText('tag:keep -cat:Films ');
    await waitForCells(page, 'name', ['Fedora-Workstation-40']);
    t.ok(await search(page).evaluate('document.activeElement.matches("[role=combobox]")'));
    await press('Tab');
    t.notOk(await page.evaluate('document.activeElement.matches("[role=combobox]")'));
  });

  await t.test('Escape closes the list, then clears, then leaves', async (t) => {
    await search(page).fill('status:pa');
    await option(page, 'status:paused').waitFor();
    await search(page).press('Escape');
    await list(page).waitFor({ state: 'detached' });
    t.equal(await search(page).inputValue(), 'status:pa');
    await search(page).press('Escape');
    await waitForText('');
    await search(page).press('Escape');
    t.notOk(await page.evaluate('document.activeElement.matches("[role=combobox]")'));
  });

  await t.test('words of names are left alone', async (t) => {
    await search(page).fill('debian');
    await page.getByRole('status').filter({ hasText: '1 torrent' }).waitFor();
    t.equal(await list(page).count(), 0);
    await press('Enter');
    t.notOk(await page.evaluate('document.activeElement.matches("[role=combobox]")'));
    await search(page).fill('');
  });

  await t.test('a click takes one, and the last leads to the help', async () => {
    await search(page).click();
    await option(page, 'path: By save path').click();
    await option(page, `path:${world.daemon.savePath}`).click();
    await page.getByRole('status').filter({ hasText: '5 torrents' }).waitFor();
    await search(page).fill('');
    await search(page).press('ArrowDown');
    await search(page).press('ArrowUp');
    await active(page).filter({ hasText: 'All operators' }).waitFor();
    await search(page).press('Enter');
    await page.getByRole('dialog').getByText('debian OR ubuntu').waitFor();
    await press('Escape');
  });
  t.same(complaints, []);
});

void testInBrowser(t, 'completion in the search of a phone', async (t, browser) => {
  const world = await startWorld();
  t.teardown(() => world.stop());
  const phone = { viewport: { width: 390, height: 844 }, hasTouch: true, isMobile: true };
  const { page, context, complaints } = await openPage(browser, phone);
  await world.enter(context);
  await world.open(page);
  await search(page).tap();
  await option(page, 'status: By status').tap();
  await option(page, 'status:paused').tap();
  await page.getByRole('status').filter({ hasText: '1 torrent' }).waitFor();
  await search(page).fill('');
  await search(page).tap();
  await list(page).waitFor();
  const { x, width } = (await list(page).boundingBox())!;
  t.ok(x >= 0 && x + width <= 390, `${x} to ${x + width}`);
  t.equal(await page.evaluate('document.documentElement.scrollWidth'), 390, 'no wider than the screen');
  t.same(complaints, []);
});
