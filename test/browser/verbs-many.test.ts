// What is done to many torrents by the menu is told, also where the list does not show it, and what fails is said once.
import { readFile } from 'node:fs/promises';
import t from 'tap';
import type { Route } from 'playwright-core';
import { fromBufferPromise } from 'yauzl';
import { makeTorrent, seededBytes } from '../support/make-torrent.js';
import { openPage, testInBrowser } from './chromium.js';
import { startWorld } from './world.js';

const PIECE = 16_384;
const MANY = 30;
const ALIKE = 'bulk alike';

t.setTimeout(180_000);

void testInBrowser(t, 'verbs for many', async (t, browser) => {
  const world = await startWorld();
  t.teardown(() => world.stop());
  const { daemon } = world;
  const add = (name: string, seed: number) =>
    daemon.addTorrentFile(makeTorrent({ name, pieceLength: PIECE, files: seededBytes(seed, PIECE) }).torrentBytes);
  for (let index = 0; index < MANY; index++) await add(`bulk ${index}`, index);
  const alike = [await add(ALIKE, 100), await add(ALIKE.toUpperCase(), 101)];
  await daemon.api('PUT', `/api/torrents/${alike[1]}/name`, { name: ALIKE });
  const viewerId = (await daemon.api<readonly { id: number; username: string }[]>('GET', '/api/users')).json.find(
    ({ username }) => username === 'viewer',
  )!.id;
  for (const [index, id] of alike.entries()) {
    const access = index === 0 ? 'viewer' : 'editor';
    await daemon.api('POST', `/api/torrents/${id}/shares`, { user_id: viewerId, access });
  }
  const { page, context, complaints } = await openPage(browser);
  await world.enter(context);
  await page.goto(daemon.url);
  await page.getByRole('grid').waitFor();
  const item = (name: string) => page.getByRole('menuitem', { name, exact: true });
  /** Selects what matches, and follows the menu. */
  const choose = async (search: string, count: number, ...path: readonly string[]) => {
    await page.getByRole('combobox', { name: 'Search' }).fill(search);
    await page
      .getByRole('status')
      .filter({ hasText: new RegExp(`^${count} (torrents?|selected)$`) })
      .waitFor();
    await page.getByRole('grid').focus();
    await page.keyboard.press('Control+a');
    await page.locator('[role="row"][aria-selected="true"]').first().click({ button: 'right' });
    for (const label of path) await item(label).click();
    await page.getByRole('menu').first().waitFor({ state: 'detached' });
  };

  await t.test('torrent files of many come in one archive, those of one name apart', async (t) => {
    const saved = page.waitForEvent('download');
    await choose('bulk', MANY + 2, 'Download', 'Export .torrent');
    const file = await saved;
    t.equal(file.suggestedFilename(), 'torrents.zip');
    const archive = await fromBufferPromise(await readFile(await file.path()));
    const names: string[] = [];
    for await (const { fileName } of archive.eachEntry()) names.push(fileName);
    t.same(
      names.sort(),
      [
        ...Array.from({ length: MANY }, (_, index) => `bulk ${index}.torrent`),
        `${ALIKE}.torrent`,
        `${ALIKE} (2).torrent`,
      ].sort(),
    );
  });

  await t.test('what the server refuses is said once, and the others are saved', async (t) => {
    let asked = 0;
    const refuse = async (route: Route) => {
      asked++;
      if (asked > 2) return route.continue();
      await route.fulfill({ status: 503, json: { error: 'engine restarting' } });
    };
    await page.route('**/api/torrents/*/file', refuse);
    const saved = page.waitForEvent('download');
    await choose('bulk', MANY + 2, 'Download', 'Export .torrent');
    const archive = await fromBufferPromise(await readFile(await (await saved).path()));
    t.equal(archive.entryCount, MANY);
    await page.getByText(new RegExp(`^2 of ${MANY + 2} failed: `)).waitFor();
    await page.unroute('**/api/torrents/*/file', refuse);
  });

  await t.test('what no column shows is told', async () => {
    await choose('alike', 2, 'Super seeding', 'On');
    await page.getByText('Changed 2 torrents.').waitFor();
    await choose('alike', 2, 'Force reannounce');
    await page.getByText('Announcing 2 torrents.').waitFor();
    await choose('"bulk 7"', 1, 'Force reannounce');
    await page.getByText('This torrent has no trackers.').waitFor();
    await choose('arch', 1, 'Force reannounce');
    await page.getByText('This torrent is paused or queued, so it does not announce.').waitFor();
  });

  await t.test('of several it is said how many may not be changed', async (t) => {
    const other = await openPage(browser);
    await world.enter(other.context, 'viewer');
    await other.page.goto(daemon.url);
    await other.page.getByRole('row', { name: ALIKE }).first().waitFor();
    await other.page.getByRole('grid').focus();
    await other.page.keyboard.press('Control+a');
    await other.page.keyboard.press('p');
    await other.page.getByText('You have view-only access to one of these torrents.').waitFor();
    await other.page.keyboard.press('Delete');
    await other.page.getByText('Only the owner can do this, and 2 of these torrents are not yours.').waitFor();
    t.same(other.complaints, []);
    await other.context.close();
  });
  t.same(complaints, []);
});
