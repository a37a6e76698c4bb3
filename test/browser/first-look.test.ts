// What one sees of the list and of a torrent before anything was set: all of it fits, and what is asked for most is
// among it.
import bencode from 'bencode';
import t from 'tap';
import type { Locator } from 'playwright-core';
import { makeTorrent, seededBytes } from '../support/make-torrent.js';
import { openPage, testInBrowser } from './chromium.js';
import { startWorld } from './world.js';

const LAPTOP = { width: 1440, height: 900 };
/** Of a name, that more than its beginning can be read. */
const MIN_NAME_PX = 280;
const STATES =
  'All Downloading Seeding Completed Active Inactive Stalled Queued Paused Checking Moving Downloading metadata';
const COLUMNS = [
  ...['Ratio', 'Uploaded', 'Downloaded', 'Remaining', 'Seeding time', 'Completed on', 'Last activity', 'Private'],
  ...['Message', 'Tracker', 'Save path', 'Seeds', 'Peers'],
];

t.setTimeout(180_000);

void testInBrowser(t, 'a first look', async (t, browser) => {
  const world = await startWorld();
  t.teardown(() => world.stop());
  const { daemon } = world;
  const { page, context, complaints } = await openPage(browser, { viewport: LAPTOP });
  await world.enter(context);
  await world.open(page);
  const head = (name: string) => page.getByRole('columnheader', { name, exact: true });
  const grid = page.getByRole('grid');

  await t.test('the list fits, with the column that it is sorted by', async (t) => {
    for (const width of [LAPTOP.width, 1920]) {
      await page.setViewportSize({ ...LAPTOP, width });
      await head('Added on').and(page.locator('[aria-sort=descending]')).waitFor();
      t.equal(await grid.evaluate(({ scrollWidth, clientWidth }) => scrollWidth - clientWidth), 0, `${width} px`);
      t.ok((await head('Name').boundingBox())!.width >= MIN_NAME_PX, `${width} px: names`);
      t.ok(await isWithin(head('Added on'), grid), `${width} px: the order`);
      t.ok(await head('Ratio').isVisible(), `${width} px: the ratio`);
    }
    await page.setViewportSize(LAPTOP);
  });

  await t.test('each state can be filtered by', async (t) => {
    const section = page.getByRole('navigation').locator('details').filter({ hasText: 'Status' });
    const names = await section.getByRole('button').locator('span:first-of-type').allInnerTexts();
    t.equal(names.map((name) => name.trim()).join(' '), STATES);
  });

  await t.test('every column can be had, and sorted by, and the menu of them ends on the screen', async (t) => {
    await page.getByRole('button', { name: 'Columns' }).click();
    const menu = page.getByRole('menu');
    await menu.waitFor();
    for (const name of COLUMNS) {
      const entry = menu.getByRole('menuitem', { name, exact: true });
      if (!(await head(name).isVisible())) await entry.click();
      await head(name).waitFor();
    }
    const last = menu.getByRole('menuitem').last();
    await last.scrollIntoViewIfNeeded();
    t.ok(await isWithin(last, menu), 'within the menu');
    t.ok((await menu.boundingBox())!.y + (await menu.boundingBox())!.height <= LAPTOP.height, 'within the screen');
    await page.keyboard.press('Escape');
    await menu.waitFor({ state: 'detached' });
    for (const name of ['Uploaded', 'Downloaded', 'Seeding time', 'Completed on', 'Last activity']) {
      await head(name).getByRole('button').click();
      await head(name).and(page.locator('[aria-sort=descending]')).waitFor();
      t.pass(name);
    }
  });

  await t.test('the overview begins with what is chosen most, and tells what the torrent says of itself', async (t) => {
    const made = makeTorrent({ name: 'told', pieceLength: 16_384, files: seededBytes(5, 99_999), private: true });
    const file = bencode.decode(Buffer.from(made.torrentBytes)) as Record<string, never>;
    const about = { comment: 'The third edition.', 'created by': 'mktorrent 1.1', 'creation date': 1_700_000_000 };
    const announce = 'http://127.0.0.1:9/announce';
    const id = await daemon.addTorrentFile(bencode.encode({ ...file, ...about, announce }));
    await page.getByRole('row', { name: 'told' }).dblclick();
    const panel = page.getByRole('tabpanel');
    await panel.getByText(id, { exact: true }).waitFor();
    t.equal(await panel.evaluate(({ scrollTop }) => scrollTop), 0);
    for (const name of ['Category', 'Tags', 'Save path']) {
      t.ok(await isWithin(panel.getByText(name, { exact: true }).first(), panel), `${name} without scrolling`);
    }
    const fact = (name: string) =>
      panel
        .locator('dl div')
        .filter({ has: page.getByText(name, { exact: true }) })
        .locator('dd');
    const says = (name: string) => fact(name).innerText();
    t.equal(await says('Comment'), 'The third edition.');
    t.equal(await says('Created by'), 'mktorrent 1.1');
    t.match(await says('Created on'), /2023/);
    t.equal(await says('Private'), 'Yes');
    t.equal(await says('Tracker'), '127.0.0.1');
    t.equal(await says('Last activity'), '–', 'nothing was moved');
    t.equal(await says('Seeding time'), '–', 'nor is it complete');
    await page.getByRole('row', { name: 'whole.bin' }).click();
    for (const name of ['Time active', 'Seeding time']) {
      await fact(name)
        .getByText(/^(\d+m ?)?(\d+s)?$/)
        .waitFor();
      // It goes on while it is looked at.
      await fact(name)
        .filter({ hasNotText: await says(name) })
        .waitFor();
      t.pass(name);
    }
  });

  t.same(complaints, []);
});

/** Whether all of it can be seen in that. */
async function isWithin(part: Locator, whole: Locator): Promise<boolean> {
  const [inner, outer] = [(await part.boundingBox())!, (await whole.boundingBox())!];
  return (
    inner.x >= outer.x &&
    inner.y >= outer.y &&
    inner.x + inner.width <= outer.x + outer.width + 1 &&
    inner.y + inner.height <= outer.y + outer.height + 1
  );
}
