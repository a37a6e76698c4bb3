// The filters of the list: several, excluded ones, chips, what can be typed, and the address that shows the same list.
import t from 'tap';
import type { Page } from 'playwright-core';
import { waitUntil } from '../support/peers/wait-until.js';
import { openPage, testInBrowser } from './chromium.js';
import { nextFrames } from './frames.js';
import { waitForCells } from './rows.js';
import { startWorld } from './world.js';

const [DEBIAN, UBUNTU, FEDORA, ARCH] = [
  'Debian.12.5.netinst',
  'Ubuntu 24.04 desktop amd64',
  'Fedora-Workstation-40',
  'Arch Linux 2024.05.01',
] as const;
const WHOLE = 'whole.bin';

t.setTimeout(180_000);

const side = (page: Page) => page.getByRole('navigation', { name: 'Navigation and filters' });
const filter = (page: Page, name: string) => side(page).getByRole('button', { name: new RegExp(`^${name}`) });
const chips = (page: Page) => page.getByRole('list', { name: 'Active filters' }).getByRole('button');
/** The address follows what is shown after a frame. */
const waitForQuery = (page: Page, query: RegExp) => page.waitForURL(({ search }) => query.test(search));

void testInBrowser(t, 'filters on a desktop', async (t, browser) => {
  const world = await startWorld();
  t.teardown(() => world.stop());
  const { page, context, complaints } = await openPage(browser);
  await world.enter(context);
  await world.open(page);
  await page.getByRole('columnheader', { name: 'Name' }).getByRole('button').click();
  const shows = (...names: readonly string[]) => waitForCells(page, 'name', [...names].sort());
  const type = (text: string) => page.getByRole('combobox', { name: 'Search' }).fill(text);

  await t.test('several of a kind are shown together, and each has a chip', async (t) => {
    await filter(page, 'Paused').click();
    await shows(ARCH);
    await filter(page, 'Seeding').click({ modifiers: ['Control'] });
    await shows(ARCH, WHOLE);
    t.same(await chips(page).allInnerTexts(), ['Paused\n×', 'Seeding\n×']);
    await waitForQuery(page, /^\?state=paused&state=seeding$/);
    await chips(page).first().click();
    await shows(WHOLE);
    await page.getByRole('button', { name: 'Clear filters' }).click();
    await shows(DEBIAN, UBUNTU, FEDORA, ARCH, WHOLE);
    await waitForQuery(page, /^$/);
    t.equal(await chips(page).count(), 0);
  });

  await t.test('where none matches there is one way back to all', async (t) => {
    await filter(page, 'Moving').click();
    await page.getByText('No matching torrents').waitFor();
    t.same(await chips(page).allInnerTexts(), ['Moving\n×']);
    t.equal(await page.getByRole('button', { name: 'Clear filters' }).count(), 1);
    await page.getByRole('button', { name: 'Clear filters' }).click();
    await shows(DEBIAN, UBUNTU, FEDORA, ARCH, WHOLE);
    await type('no such name');
    await page.getByRole('button', { name: 'Clear filters' }).click();
    await shows(DEBIAN, UBUNTU, FEDORA, ARCH, WHOLE);
  });

  await t.test('excluded ones are not shown, by a key of the mouse or by the menu', async (t) => {
    await filter(page, 'Paused').click({ modifiers: ['Alt'] });
    await shows(DEBIAN, UBUNTU, FEDORA, WHOLE);
    await filter(page, 'keep').focus();
    await page.keyboard.press('Shift+F10');
    await page.getByRole('menuitem', { name: 'Exclude' }).click();
    await shows(UBUNTU, WHOLE);
    t.same(await chips(page).allInnerTexts(), ['Not Paused\n×', 'Not keep\n×']);
    await filter(page, 'keep excluded').waitFor();
  });

  await t.test('what is at the side is counted with the other filters and the search, and has its size', async (t) => {
    const counts = async () => ({
      all: await countOf('All'),
      paused: await countOf('Paused'),
      seeding: await countOf('Seeding'),
      keep: await countOf('keep'),
      untagged: await countOf('Untagged'),
    });
    const countOf = async (name: string) => Number((await filter(page, name).innerText()).match(/\d+$/)![0]);
    const waitForCounts = (expected: Awaited<ReturnType<typeof counts>>) =>
      waitUntil(
        JSON.stringify(expected),
        15_000,
        async () => JSON.stringify(await counts()) === JSON.stringify(expected) || undefined,
      );
    await page.getByRole('button', { name: 'Clear filters' }).click();
    await waitForCounts({ all: 5, paused: 1, seeding: 1, keep: 2, untagged: 3 });
    await filter(page, 'Untagged').click();
    await waitForCounts({ all: 3, paused: 1, seeding: 1, keep: 2, untagged: 3 });
    await filter(page, 'Paused').click();
    await waitForCounts({ all: 3, paused: 1, seeding: 1, keep: 0, untagged: 1 });
    await type('whole');
    await waitForCounts({ all: 1, paused: 0, seeding: 1, keep: 0, untagged: 0 });
    t.match(await filter(page, 'Seeding').getAttribute('title'), /^1 torrent, 48\.0 KiB\n/);
    // What is not shown can be chosen all the same, and the tracker keeps its place.
    t.equal(await countOf('127.0.0.1'), 0);
    const { id } = (await world.daemon.torrents()).find(({ name }) => name === WHOLE)!;
    await world.daemon.api('POST', `/api/torrents/${id}/pause`, {});
    await waitForCounts({ all: 1, paused: 1, seeding: 0, keep: 0, untagged: 1 });
    await world.daemon.api('POST', `/api/torrents/${id}/resume`, {});
    await waitForCounts({ all: 1, paused: 0, seeding: 1, keep: 0, untagged: 0 });
    await type('');
    await page.getByRole('button', { name: 'Clear filters' }).click();
    await filter(page, 'Paused').click({ modifiers: ['Alt'] });
    await filter(page, 'keep').click({ modifiers: ['Alt'] });
    await shows(UBUNTU, WHOLE);
  });

  await t.test('a reload, Back and a link show the same list', async (t) => {
    await waitForQuery(page, /^\?not-state=paused&not-tag=\d+$/);
    await page.reload();
    await shows(UBUNTU, WHOLE);
    await filter(page, 'Seeding').click();
    await shows(WHOLE);
    await waitForQuery(page, /^\?state=seeding&/);
    await page.goBack();
    await shows(UBUNTU, WHOLE);
    await side(page).getByRole('link', { name: 'Feeds' }).click();
    await page.waitForURL('**/feeds');
    await side(page).getByRole('link', { name: 'Torrents' }).click();
    await shows(UBUNTU, WHOLE);
    await type('whole');
    await shows(WHOLE);
    await page.waitForURL(/&q=whole$/);
    const link = page.url();
    const other = await context.newPage();
    await other.goto(link);
    await waitForCells(other, 'name', [WHOLE]);
    t.equal(await other.getByRole('combobox', { name: 'Search' }).inputValue(), 'whole');
    await other.close();
    await type('');
    await page.getByRole('button', { name: 'Clear filters' }).click();
    await shows(DEBIAN, UBUNTU, FEDORA, ARCH, WHOLE);
  });

  await t.test('the search knows phrases, fields, patterns and OR', async (t) => {
    const found = [
      { typed: 'debian OR ubuntu', names: [DEBIAN, UBUNTU] },
      { typed: '-linux -"whole.bin"', names: [DEBIAN, UBUNTU, FEDORA] },
      { typed: 'tracker:127.0.0.1 tag:keep', names: [DEBIAN, FEDORA] },
      { typed: 'cat:films', names: [DEBIAN] },
      { typed: 'size>300k', names: [FEDORA, ARCH] },
      { typed: 'remaining>300k', names: [FEDORA, ARCH] },
      { typed: 'ratio<1 is:public is:incomplete', names: [DEBIAN, UBUNTU, FEDORA, ARCH] },
      { typed: '/^(ubuntu|arch)\\b/', names: [UBUNTU, ARCH] },
    ];
    for (const { typed, names } of found) {
      await type(typed);
      await shows(...names);
      t.pass(typed);
    }
    await type('/(/');
    await page.locator('[type=search][aria-invalid=true]').waitFor();
    t.equal(await page.getByRole('combobox', { name: 'Search' }).getAttribute('title'), 'Not a valid pattern: /(/');
    await type('');
  });

  await t.test('categories are a tree: what is chosen includes what is below it, and is folded away', async (t) => {
    const made = new Map<string, number>();
    for (const name of ['tv', 'tv/anime', 'tv/anime/subbed', 'tv 2', 'audio/books', 'audio/music']) {
      const body = { name, default_save_path: '', color: '' };
      made.set(name, (await world.daemon.api<{ id: number }>('POST', '/api/categories', body)).json.id);
    }
    const ids = new Map((await world.daemon.torrents()).map(({ name, id }) => [name, id]));
    const put = (name: string, category: string) =>
      world.daemon.api('POST', '/api/torrents/category', {
        infohash: ids.get(name),
        category_id: made.get(category),
      });
    await put(UBUNTU, 'tv');
    await put(FEDORA, 'tv/anime/subbed');
    await put(ARCH, 'tv 2');
    await put(WHOLE, 'audio/music');
    // The address follows what is typed a little later.
    await page.waitForURL(({ search }) => search === '');
    await page.reload();
    await shows(DEBIAN, UBUNTU, FEDORA, ARCH, WHOLE);
    await filter(page, 'tv 2$').click();
    await shows(UBUNTU, FEDORA);
    await filter(page, 'anime').click({ modifiers: ['Alt'] });
    await shows(UBUNTU);
    t.same(await chips(page).allInnerTexts(), ['tv\n×', 'Not tv/anime\n×']);
    await page.getByRole('button', { name: 'Clear filters' }).click();
    // A level that is no category itself.
    await filter(page, 'audio 1$').click();
    await shows(WHOLE);
    await waitForQuery(page, /^\?category=audio%2F$/);
    await page.getByRole('button', { name: 'Clear filters' }).click();

    const folds = side(page).getByRole('button', { name: 'Below tv', exact: true });
    await folds.click();
    await filter(page, 'anime').waitFor({ state: 'detached' });
    await page.reload();
    await filter(page, 'tv 2$').waitFor();
    t.equal(await filter(page, 'anime').count(), 0);
    await filter(page, 'tv 2$').focus();
    await page.keyboard.press('ArrowRight');
    await filter(page, 'anime').waitFor();
    t.equal(await folds.getAttribute('aria-expanded'), 'true');

    await page.getByRole('row', { name: DEBIAN }).click({ button: 'right' });
    await page.getByRole('menuitem', { name: 'Category' }).hover();
    const item = page.getByRole('menuitem', { name: 'tv/anime', exact: true });
    t.equal((await item.innerText()).trim(), 'anime');
    const [parent, child] = [page.getByRole('menuitem', { name: 'tv', exact: true }), item];
    const left = async (one: typeof item) => (await one.getByText(/tv|anime/).boundingBox())!.x;
    t.ok((await left(child)) > (await left(parent)), 'set in');
    await page.keyboard.press('Escape');
    await page.keyboard.press('Escape');
  });

  await t.test('the help tells what can be typed', async () => {
    await page.getByRole('combobox', { name: 'Search' }).blur();
    await page.keyboard.press('?');
    await page.getByRole('dialog').getByText('debian OR ubuntu').waitFor();
    await page.keyboard.press('Escape');
  });
  t.same(complaints, []);
});

void testInBrowser(t, 'filters on a phone', async (t, browser) => {
  const world = await startWorld();
  t.teardown(() => world.stop());
  const phone = { viewport: { width: 390, height: 844 }, hasTouch: true, isMobile: true };
  const { page, context, complaints } = await openPage(browser, phone);
  await world.enter(context);
  await world.open(page);
  const cards = page.locator('[role=row]:not([hidden])');
  const openDrawer = () => page.getByRole('button', { name: 'Navigation and filters' }).tap();

  await openDrawer();
  await filter(page, 'Paused').tap();
  await page.getByRole('status').filter({ hasText: '1 torrent' }).waitFor();
  await chips(page).filter({ hasText: 'Paused' }).waitFor();
  t.equal(await page.evaluate('document.documentElement.scrollWidth'), 390, 'no wider than the screen');

  await t.test('sizes stand beside the counts, where no mouse rests', async () => {
    await openDrawer();
    await filter(page, 'Seeding').getByText('48.0 KiB').waitFor();
    await page.keyboard.press('Escape');
  });

  await t.test('a held finger opens the menu of a filter', async (t) => {
    await openDrawer();
    // Once the drawer stands still.
    await filter(page, 'Seeding').tap({ trial: true });
    const { x, y } = (await filter(page, 'Seeding').boundingBox())!;
    const cdp = await context.newCDPSession(page);
    const points = [{ x: x + 40, y: y + 15 }];
    await cdp.send('Input.dispatchTouchEvent', { type: 'touchStart', touchPoints: points });
    const also = page.getByRole('menuitem', { name: 'Also this' });
    await also.waitFor();
    await cdp.send('Input.dispatchTouchEvent', { type: 'touchEnd', touchPoints: [] });
    // A finger is not down again within the frame in which it was lifted.
    await nextFrames(page);
    await also.tap();
    await page.getByRole('status').filter({ hasText: '2 torrents' }).waitFor();
    t.equal(await chips(page).count(), 2);
  });

  await page.keyboard.press('Escape');
  await page.getByRole('button', { name: 'Clear filters' }).tap();
  await page.getByRole('status').filter({ hasText: '5 torrents' }).waitFor();
  t.equal(await cards.count(), 5);
  t.same(complaints, []);
});
