// The side bar: the way to the list past it and through it by keys, and the room that it leaves to the list.
import t from 'tap';
import type { Page } from 'playwright-core';
import { waitUntil } from '../support/peers/wait-until.js';
import { openPage, testInBrowser } from './chromium.js';
import { startWorld } from './world.js';

/** One to skip, four in the bar at the top, four pages, one for all filters, five tools, and the search. */
const MAX_TABS = 16;
const STRIP_PX = 60;
const TIMEOUT_MS = 15_000;

t.setTimeout(120_000);

void testInBrowser(t, 'the side bar', async (t, browser) => {
  const world = await startWorld();
  t.teardown(() => world.stop());
  const { page, context, complaints } = await openPage(browser);
  await world.enter(context);
  await world.open(page);
  const focused = page.locator(':focus');
  const side = page.getByRole('navigation', { name: 'Navigation and filters' });
  const press = (key: string) => page.keyboard.press(key);

  await t.test('the first stop skips to the list', async () => {
    await press('Tab');
    await focused.and(page.getByRole('link', { name: 'Skip to the content' })).waitFor();
    await press('Enter');
    await focused.and(page.getByRole('grid')).waitFor();
  });

  await t.test('the toolbar is a few stops away, whatever filters there are', async (t) => {
    await world.open(page);
    let tabs = 0;
    while (tabs <= MAX_TABS && (await focused.and(page.getByRole('combobox', { name: 'Search' })).count()) === 0) {
      await press('Tab');
      tabs++;
    }
    t.ok(tabs <= MAX_TABS, `${tabs} stops`);
  });

  await t.test('at rest no row is filled; what is chosen is, and what is empty is dimmed', async (t) => {
    const filled = () => page.evaluate(FILLED) as Promise<readonly string[]>;
    await page.mouse.move(0, 0);
    t.same(await filled(), [], 'at rest');
    const empty = side.getByRole('button', { name: 'Linux' });
    const full = side.getByRole('button', { name: 'Films' });
    const dimmed = (await page.evaluate(DIMMED)) as readonly string[];
    t.ok(dimmed.includes('Linux') && dimmed.includes('Queued'), dimmed.join());
    t.notOk(dimmed.includes('Films') || dimmed.includes('All'));
    t.ok(await empty.isEnabled(), 'it can be chosen all the same');
    await full.click();
    await page.getByRole('status').filter({ hasText: '1 torrent' }).waitFor();
    t.same(await filled(), ['Films']);
    const focused = await page.evaluate('document.activeElement.getAttribute("role")');
    t.equal(focused, 'grid', 'the keys that follow are meant for what was chosen');
    await page.getByRole('button', { name: 'Clear filters' }).click();
    t.same(await filled(), []);
    await world.open(page);
  });

  await t.test('arrows go through the filters, and Tab comes back to the last', async (t) => {
    await side.locator('[data-stop][tabindex="0"]').focus();
    for (let step = 0; step < 3; step++) await press('ArrowDown');
    await focused.and(side.getByRole('button', { name: 'Seeding' })).waitFor();
    await press('Enter');
    await page.getByRole('status').filter({ hasText: '1 torrent' }).waitFor();
    await press('Control+a');
    await page.getByRole('row', { name: 'whole.bin', selected: true }).waitFor();
    await press('Tab');
    await press('Shift+Tab');
    await focused.and(side.getByRole('button', { name: 'Seeding' })).waitFor();
    t.equal(await side.locator('[data-stop][tabindex="0"]').count(), 1);
  });

  await t.test('a group that is closed stays closed', async (t) => {
    const isSaved = nextSave(page);
    await side.getByText('Tags', { exact: true }).click();
    await side.getByRole('button', { name: 'keep' }).waitFor({ state: 'hidden' });
    await isSaved;
    await page.reload();
    await page.getByRole('grid').waitFor();
    t.equal(await side.getByRole('button', { name: 'keep' }).count(), 0);
    t.equal(await side.getByRole('button', { name: 'Films' }).count(), 1);
  });

  await t.test('by its button and its key it makes room, and stays so', async (t) => {
    await world.open(page);
    const filter = page.getByRole('button', { name: 'Films' });
    const button = page.getByRole('button', { name: 'Navigation and filters' });
    await filter.waitFor();
    const isSaved = nextSave(page);
    await button.click();
    await filter.waitFor({ state: 'detached' });
    await side.getByRole('link', { name: 'Feeds' }).waitFor();
    t.ok((await side.boundingBox())!.width < STRIP_PX);
    await isSaved;
    await page.reload();
    await page.getByRole('grid').waitFor();
    t.equal(await filter.count(), 0);
    await press('b');
    await filter.waitFor();
    t.equal(await button.getAttribute('aria-expanded'), 'true');
  });

  await t.test('it has no filters beside pages that have nothing to filter', async (t) => {
    for (const name of ['Feeds', 'Settings']) {
      await side.getByRole('link', { name }).click();
      await page.getByRole('heading', { level: 1 }).waitFor();
      t.equal(await side.getByRole('button', { name: 'Films' }).count(), 0, name);
      t.ok((await side.boundingBox())!.width < STRIP_PX, name);
    }
  });

  await t.test('a tablet held upright has its width for the list', async (t) => {
    await page.setViewportSize({ width: 768, height: 1024 });
    await world.open(page);
    t.ok((await page.getByRole('grid').boundingBox())!.width >= 700);
    t.ok((await side.boundingBox())!.width < STRIP_PX);
  });

  await t.test('a phone held sideways has rows, also beside the details', async () => {
    await page.setViewportSize({ width: 844, height: 390 });
    await world.open(page);
    await waitForRows(page, 5);
    await page.getByRole('row', { name: world.torrentName }).dblclick();
    await page.getByRole('tab', { name: 'Overview' }).waitFor();
    await waitForRows(page, 5);
  });
  t.same(complaints, []);
});

/** A script that gives the names of the rows at the side that are drawn in some way. */
function rowsThat(isDrawn: string): string {
  return `(() => {
    const side = document.querySelector('nav');
    const probe = side.appendChild(document.createElement('i'));
    probe.style.background = 'var(--surface-selected)';
    const { backgroundColor: selected, color } = getComputedStyle(probe);
    const styles = [...side.querySelectorAll('a, [aria-pressed]')].map((row) => [row, getComputedStyle(row)]);
    const names = styles.filter(([, style]) => ${isDrawn}).map(([row]) => row.innerText.trim().split('\\n')[0]);
    probe.remove();
    return names;
  })()`;
}

const FILLED = rowsThat('style.backgroundColor === selected');
const DIMMED = rowsThat('style.color !== color');

/** Resolves when the server has what the account chose. */
function nextSave(page: Page): Promise<unknown> {
  return page.waitForResponse(
    (response) => response.url().endsWith('/api/me/preferences') && response.request().method() === 'PUT',
  );
}

/** Waits until that many rows can be seen whole, and what names them as well. */
async function waitForRows(page: Page, count: number): Promise<void> {
  const seen = `(() => {
    const { left, right, bottom } = document.querySelector('[role=grid]').getBoundingClientRect();
    return [...document.querySelectorAll('[role=row][aria-rowindex]:not([hidden])')].filter((row) => {
      const name = row.querySelector('[role=gridcell][data-column=name]')?.getBoundingClientRect();
      return name && row.getBoundingClientRect().bottom <= bottom && name.left >= left && name.left + 200 <= right;
    }).length;
  })()`;
  let rows: unknown;
  const isThere = async () => (rows = await page.evaluate(seen)) === count || undefined;
  await waitUntil(`${count} rows`, TIMEOUT_MS, isThere, () => String(rows));
}
