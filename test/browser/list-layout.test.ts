// How the list is laid out: columns that are moved, fitted and kept for the account, rows of several heights.
import t from 'tap';
import { waitUntil } from '../support/peers/wait-until.js';
import { CONTRAST } from './accessibility.js';
import { openPage, testInBrowser } from './chromium.js';
import { startWorld } from './world.js';

t.setTimeout(120_000);

void testInBrowser(t, 'the layout of the list', async (t, browser) => {
  const world = await startWorld();
  t.teardown(() => world.stop());
  const { page, context, complaints } = await openPage(browser, { viewport: { width: 1440, height: 900 } });
  await world.enter(context);
  await world.open(page);
  const headsOf = (where = page) => where.locator('[role=columnheader][data-column]');
  const order = async (where = page) =>
    headsOf(where).evaluateAll((heads) => heads.map((head) => head.getAttribute('data-column')));
  const waitForOrder = (what: string, isMet: (keys: readonly string[]) => boolean, where = page) =>
    waitUntil(what, 15_000, async () => (isMet((await order(where)) as string[]) ? true : undefined));
  const head = (key: string) => page.locator(`[role=columnheader][data-column=${key}]`);
  const middleOf = async (key: string) => {
    const { x, y, width, height } = (await head(key).boundingBox())!;
    return { x: x + width / 2, y: y + height / 2 };
  };
  const drag = async (from: string, to: { x: number; y: number }) => {
    const start = await middleOf(from);
    await page.mouse.move(start.x, start.y);
    await page.mouse.down();
    await page.mouse.move(to.x, to.y, { steps: 5 });
  };
  const sortedBy = () =>
    page.locator('[role=columnheader]:not([aria-sort=none])[data-column]').getAttribute('data-column');

  await t.test('a head that is dragged takes its column along, without sorting by it', async (t) => {
    const target = await middleOf('size');
    await drag('ratio', { x: target.x - 10, y: target.y });
    t.equal(await head('size').getAttribute('data-drop'), 'before', 'a line says where to');
    await page.mouse.up();
    await waitForOrder('ratio before size', (keys) => keys.indexOf('ratio') === keys.indexOf('size') - 1);
    t.equal(await sortedBy(), 'added');
    const cells = await page
      .locator('[role=row]:not([hidden]) [role=gridcell][data-column]')
      .evaluateAll((all) => all.map((cell) => cell.getAttribute('data-column')));
    t.same(cells.slice(0, 3), ['name', 'ratio', 'size'], 'the cells as well');
    await drag('ratio', await middleOf('up'));
    await page.keyboard.press('Escape');
    await page.mouse.up();
    t.equal((await order()).indexOf('ratio'), 1, 'Escape lets go');
  });

  await t.test('a column is moved by keyboard, and keeps the focus', async (t) => {
    await head('ratio').getByRole('button').focus();
    await page.keyboard.press('Control+ArrowRight');
    await waitForOrder('ratio behind size', (keys) => keys.indexOf('ratio') === keys.indexOf('size') + 1);
    await page.keyboard.press('Control+ArrowLeft');
    await waitForOrder('ratio before size', (keys) => keys.indexOf('ratio') === keys.indexOf('size') - 1);
    t.equal(await page.evaluate("document.activeElement.closest('[data-column]')?.dataset.column"), 'ratio');
  });

  await t.test('two clicks on an edge fit the column to what is in it', async (t) => {
    await head('name').locator('span').last().dblclick();
    const isWhole = () =>
      page
        .locator('[role=gridcell][data-column=name]')
        .evaluateAll((cells) => cells.every((cell) => cell.scrollWidth <= cell.clientWidth));
    t.ok(await isWhole());
    const { width } = (await head('name').boundingBox())!;
    t.ok(width < 290 && width > 200, `${width} px: no wider than it has to be`);
  });

  await t.test('rows are as high as one likes', async (t) => {
    const heights: number[] = [];
    for (const density of ['Dense', 'Compact', 'Comfortable', 'Dense']) {
      await page.getByRole('button', { name: 'Columns' }).click();
      await page.getByRole('menuitem', { name: 'Row height' }).click();
      await page.getByRole('menuitem', { name: density, exact: true }).click();
      await page.getByRole('menu').first().waitFor({ state: 'detached' });
      heights.push((await page.locator('[role=row][id]').first().boundingBox())!.height);
    }
    t.same(heights, [24, 28, 34, 24]);
    const bar = (await page.locator('[role=gridcell][data-column=progress] > span').first().boundingBox())!;
    t.ok(bar.height <= 20, 'the bar fits into it');
  });

  await t.test('a bar and its frame stand out from what is beside them, in both themes, selected or not', async (t) => {
    await page.locator('[role=row][id]').first().click();
    for (const theme of ['dark', 'light']) {
      const ratios = (await page.evaluate(contrastsIn(theme))) as readonly number[];
      t.ok(
        ratios.length >= 10 && Math.min(...ratios) >= 3,
        `${theme}: ${ratios.map((each) => each.toFixed(1)).join(' ')}`,
      );
    }
  });

  await t.test('the account finds it all again on another browser, at the first paint on this one', async (t) => {
    const expected = await order();
    await waitUntil('the server has it', 15_000, async () => {
      const { json } = await world.daemon.api('GET', '/api/me/preferences');
      return json['list.density'] === 'dense' || undefined;
    });
    const other = await openPage(browser, { viewport: { width: 1440, height: 900 } });
    await world.enter(other.context);
    await world.open(other.page);
    await waitForOrder('the same order', (keys) => keys.join() === expected.join(), other.page);
    t.equal((await other.page.locator('[role=row][id]').first().boundingBox())!.height, 24);
    // Without an answer of the server, there is the copy.
    await page.route('**/api/me/preferences', (route) => route.abort());
    await page.reload();
    await waitForOrder('the copy', (keys) => keys.join() === expected.join());
    await page.unroute('**/api/me/preferences');
    await other.page.setViewportSize({ width: 390, height: 844 });
    await other.page.locator('[role=row][id]').first().waitFor();
    t.ok((await other.page.locator('[role=row][id]').first().boundingBox())!.height >= 64, 'cards are as they were');
    t.same(other.complaints, []);
    await other.context.close();
  });

  await t.test('what is changed just before the page goes is kept, and nobody else has it', async (t) => {
    await head('size').getByRole('button').focus();
    await page.keyboard.press('Shift+ArrowRight');
    await page.goto('about:blank');
    await waitUntil('the server has it', 15_000, async () => {
      const { json } = await world.daemon.api<{ 'list.columns'?: { widths: { size?: number } } }>(
        'GET',
        '/api/me/preferences',
      );
      return json['list.columns']?.widths.size === 96 || undefined;
    });
    const stranger = await openPage(browser, { viewport: { width: 1440, height: 900 } });
    await world.enter(stranger.context, 'viewer');
    await stranger.page.goto(world.daemon.url);
    await stranger.page.getByRole('heading', { name: 'No torrents yet' }).waitFor();
    const keys = await stranger.page.evaluate('Object.keys(localStorage).filter((key) => key.includes("account-1."))');
    t.same(keys, []);
    await stranger.context.close();
  });
  t.same(
    complaints.filter((said) => !said.includes('ERR_FAILED')),
    [],
  );
});

/** A script that gives the contrast of each bar's line to its track, and of its frame to the row. */
function contrastsIn(theme: string): string {
  return `(() => {
    document.documentElement.dataset.theme = '${theme}';
    ${CONTRAST}
    return [...document.querySelectorAll('[role=row][id]:not([hidden])')].flatMap((row) => {
      const bar = getComputedStyle(row.querySelector('[data-column=progress] > span'));
      const line = bar.backgroundImage.match(/rgb\\([^)]*\\)/)[0];
      const frame = bar.boxShadow.match(/rgb\\([^)]*\\)/)[0];
      return [contrast(line, bar.backgroundColor), contrast(frame, getComputedStyle(row).backgroundColor)];
    });
  })()`;
}
