// Saved views: what is shown is kept under a name, and is there again on whichever browser, by mouse, keys and thumb.
import t from 'tap';
import type { Page } from 'playwright-core';
import { waitUntil } from '../support/peers/wait-until.js';
import { openPage, testInBrowser } from './chromium.js';
import { waitForCells } from './rows.js';
import { startWorld, type World } from './world.js';

const [DEBIAN, UBUNTU, FEDORA, ARCH, WHOLE] = [
  'Debian.12.5.netinst',
  'Ubuntu 24.04 desktop amd64',
  'Fedora-Workstation-40',
  'Arch Linux 2024.05.01',
  'whole.bin',
] as const;
const ALL = [DEBIAN, UBUNTU, FEDORA, ARCH, WHOLE];

t.setTimeout(180_000);

const side = (page: Page) => page.getByRole('navigation', { name: 'Navigation and filters' });
const filter = (page: Page, name: string) => side(page).getByRole('button', { name: new RegExp(`^${name}`) });
const view = (page: Page, name: string) => side(page).getByRole('button', { name, exact: true });
const chips = (page: Page) => page.getByRole('list', { name: 'Active filters' }).getByRole('button');
const dialog = (page: Page) => page.getByRole('dialog');
const name = (page: Page) => dialog(page).getByLabel('Name');

/** Waits until the server has views of these names. */
function waitForViews(world: World, ...names: readonly string[]): Promise<unknown> {
  return waitUntil(`the server has ${names.join()}`, 15_000, async () => {
    const { json } = await world.daemon.api<{ 'list.views'?: readonly { name: string }[] }>(
      'GET',
      '/api/me/preferences',
    );
    return (json['list.views'] ?? []).map((one) => one.name).join() === names.join() || undefined;
  });
}

void testInBrowser(t, 'views on a desktop', async (t, browser) => {
  const world = await startWorld();
  t.teardown(() => world.stop());
  const { page, context, complaints } = await openPage(browser);
  await world.enter(context);
  await world.open(page);
  const shows = (...names: readonly string[]) => waitForCells(page, 'name', names);
  const head = (title: string) => page.getByRole('columnheader', { name: title }).getByRole('button');

  await t.test('filter, search and order are kept under a name, and a click shows them again', async (t) => {
    await filter(page, 'keep').click();
    await page.getByLabel('Search').fill('e');
    await head('Size').click();
    await shows(FEDORA, DEBIAN);
    t.equal(await side(page).getByText('Views', { exact: true }).count(), 0, 'no group while there are none');
    await page.getByRole('button', { name: 'Save view…' }).click();
    t.match(await dialog(page).innerText(), /the filter \(keep, e\) and the order \(Size, Descending\)/);
    await page.keyboard.press('Enter');
    await dialog(page).getByRole('alert').filter({ hasText: 'Enter a name.' }).waitFor();
    await name(page).fill('n'.repeat(61));
    await dialog(page).getByRole('alert').filter({ hasText: 'at most 60 characters' }).waitFor();
    await name(page).fill('Kept');
    await page.keyboard.press('Enter');
    await dialog(page).waitFor({ state: 'detached' });
    await view(page, 'Kept').and(page.locator('[aria-current=true]')).waitFor();
    t.equal(await page.getByRole('button', { name: 'Save view…' }).count(), 0, 'it is saved already');
    await waitForViews(world, 'Kept');
  });

  await t.test('what is shown can be something else meanwhile', async (t) => {
    await page.getByRole('button', { name: 'Clear filters' }).click();
    await page.getByLabel('Search').fill('');
    await head('Name').click();
    await shows(...[...ALL].sort());
    t.equal(await view(page, 'Kept').getAttribute('aria-current'), 'false');
    await view(page, 'Kept').click();
    await shows(FEDORA, DEBIAN);
    t.equal(await page.getByLabel('Search').inputValue(), 'e');
    t.equal(await chips(page).count(), 1);
    await page.waitForURL(/tag=\d+&q=e/);
    await page.goBack();
    await page.getByRole('status').filter({ hasText: '5 torrents' }).waitFor();
    await page.goForward();
    await shows(FEDORA, DEBIAN);
  });

  await t.test('one that was opened and changed is replaced under its name', async () => {
    await filter(page, 'Seeding').click({ modifiers: ['Alt'] });
    await page.getByRole('button', { name: 'Save view…' }).click();
    await dialog(page).getByText('Replaces the view “Kept”.').waitFor();
    await dialog(page).getByRole('button', { name: 'Replace' }).click();
    await view(page, 'Kept').and(page.locator('[aria-current=true]')).waitFor();
    await page.getByRole('button', { name: 'Clear filters' }).click();
    await view(page, 'Kept').click();
    await chips(page).filter({ hasText: 'Not Seeding' }).waitFor();
  });

  await t.test('by keys: opened, renamed, replaced, removed, and that undone', async (t) => {
    await page.getByRole('button', { name: 'Clear filters' }).click();
    await filter(page, 'Paused').click();
    await page.getByRole('button', { name: 'Save view…' }).click();
    await name(page).fill('Another');
    await page.keyboard.press('Enter');
    await view(page, 'Another').focus();
    await page.keyboard.press('ArrowDown');
    await page.locator(':focus').and(view(page, 'Kept')).waitFor();
    await page.keyboard.press('Enter');
    await chips(page).filter({ hasText: 'keep' }).waitFor();
    await page.keyboard.press('F2');
    await name(page).fill('another');
    await dialog(page).getByRole('alert').filter({ hasText: 'Another view has this name.' }).waitFor();
    await name(page).fill('Zed');
    await page.keyboard.press('Enter');
    await view(page, 'Zed').waitFor();
    await view(page, 'Another').focus();
    await page.keyboard.press('Shift+F10');
    await page.getByRole('menuitem', { name: 'Replace with what is shown' }).click();
    await view(page, 'Another').and(page.locator('[aria-current=true]')).waitFor();
    await view(page, 'Another').focus();
    await page.keyboard.press('Delete');
    await view(page, 'Another').waitFor({ state: 'detached' });
    await page.locator(':focus').and(view(page, 'Zed')).waitFor();
    await waitForViews(world, 'Zed');
    t.equal(await page.getByRole('dialog').count(), 0, 'no torrent is asked about');
    await page.keyboard.press('Control+z');
    await view(page, 'Another').waitFor();
    await waitForViews(world, 'Another', 'Zed');
  });

  await t.test('there is a bound on their number, and the server has the last word', async () => {
    const one = { query: '?state=paused', sort: { key: 'name', descending: false } };
    const full = Array.from({ length: 40 }, (_, index) => ({ ...one, name: `v${String(index).padStart(2, '0')}` }));
    await world.daemon.api('PUT', '/api/me/preferences', { 'list.views': full });
    await page.reload();
    await view(page, 'v39').waitFor();
    await page.getByRole('button', { name: 'Columns' }).click();
    await page.getByRole('menuitem', { name: 'Save view…' }).click();
    await name(page).fill('one more');
    await page.keyboard.press('Enter');
    await dialog(page).getByRole('alert').filter({ hasText: 'You have 40 saved views' }).waitFor();
    await name(page).fill('v07');
    await dialog(page).getByText('Replaces the view “v07”.').waitFor();
    await page.route('**/api/me/preferences', (route) =>
      route.request().method() === 'PUT'
        ? route.fulfill({ status: 400, json: { error: 'preferences: at most 64 KiB of an account' } })
        : route.continue(),
    );
    await page.keyboard.press('Enter');
    await page.getByText('could not be saved: preferences: at most 64 KiB').waitFor();
    await page.unroute('**/api/me/preferences');
  });

  await t.test('the longest name leaves the bar as wide as it is', async (t) => {
    const sort = { key: 'name', descending: false };
    const views = [{ name: 'W'.repeat(60), query: '?state=paused', sort }];
    await world.daemon.api('PUT', '/api/me/preferences', { 'list.views': views });
    await page.reload();
    await view(page, 'W'.repeat(60)).waitFor();
    const script = '(({ scrollWidth, clientWidth }) => scrollWidth - clientWidth)(document.querySelector("nav"))';
    t.equal(await page.evaluate(script), 0);
  });

  await t.test('nobody else has them', async (t) => {
    const stranger = await openPage(browser);
    await world.enter(stranger.context, 'viewer');
    await stranger.page.goto(world.daemon.url);
    await stranger.page.getByRole('heading', { name: 'No torrents yet' }).waitFor();
    t.equal(await side(stranger.page).getByText('Views', { exact: true }).count(), 0);
    await stranger.context.close();
  });
  t.same(complaints, []);
});

void testInBrowser(t, 'views on a phone', async (t, browser) => {
  const world = await startWorld();
  t.teardown(() => world.stop());
  const phone = { viewport: { width: 390, height: 844 }, hasTouch: true, isMobile: true };
  const { page, context, complaints } = await openPage(browser, phone);
  await world.enter(context);
  await world.open(page);
  const openDrawer = async () => {
    await page.getByRole('button', { name: 'Navigation and filters' }).tap();
    // Once the drawer stands still.
    await filter(page, 'Seeding').tap({ trial: true });
  };
  await openDrawer();
  await filter(page, 'Paused').tap();
  await page.getByRole('button', { name: 'Save view…' }).tap();
  await name(page).fill('Paused ones');
  await dialog(page).getByRole('button', { name: 'Save' }).tap();
  await dialog(page).waitFor({ state: 'detached' });
  await page.getByRole('button', { name: 'Clear filters' }).tap();
  await page.getByRole('status').filter({ hasText: '5 torrents' }).waitFor();
  await openDrawer();
  await view(page, 'Paused ones').tap();
  await page.getByRole('status').filter({ hasText: '1 torrent' }).waitFor();
  await openDrawer();
  await page.getByRole('button', { name: 'View “Paused ones”: more' }).tap();
  await page.getByRole('menuitem', { name: 'Rename' }).tap();
  await name(page).fill('Held');
  await dialog(page).getByRole('button', { name: 'Rename' }).tap();
  await waitForViews(world, 'Held');
  await openDrawer();
  await view(page, 'Held').waitFor();
  t.equal(await page.evaluate('document.documentElement.scrollWidth'), 390, 'no wider than the screen');
  await page.getByRole('button', { name: 'View “Held”: more' }).tap();
  await page.getByRole('menuitem', { name: 'Remove' }).tap();
  await view(page, 'Held').waitFor({ state: 'detached' });
  await waitForViews(world);
  t.same(complaints, []);
});
