// The page of statistics: what it says is what the server counts, for each account its own; and that it is the first page
// where the account wants it so, on whichever browser.
import t from 'tap';
import type { StatusDto } from '../../shared-protocol/dto/status.js';
import { bytes } from '../../api/web/src/format/quantities.js';
import { makeTorrent, seededBytes } from '../support/make-torrent.js';
import { seedContent } from '../support/peers/scripted-seed.js';
import { waitUntil } from '../support/peers/wait-until.js';
import { openPage, testInBrowser } from './chromium.js';
import { startWorld, withoutSchedule } from './world.js';

const PIECE = 65_536;
const SIZE = 24 * PIECE;
/** So slow that a rate is seen. */
const LIMITS = { down_kbps: 300, up_kbps: 0, alt_down_kbps: 0, alt_up_kbps: 0, alt_active: false };
const TIMEOUT_MS = 60_000;

t.setTimeout(120_000);

void testInBrowser(t, 'the page of statistics', async (t, browser) => {
  const world = await startWorld();
  t.teardown(() => world.stop());
  const { daemon } = world;
  await withoutSchedule(daemon);
  await daemon.api('PUT', '/api/settings/limits', LIMITS);
  const made = makeTorrent({ name: 'moved.bin', pieceLength: PIECE, files: seededBytes(3, SIZE) });
  const id = await daemon.addTorrentFile(made.torrentBytes);
  const content = { bytes: made.payload, infoHash: made.infoHash, pieceLength: PIECE };
  const seed = await seedContent(content, daemon.peerPort, Infinity);
  t.teardown(() => seed.destroy());
  await daemon.waitFor(id, ({ completed }) => completed, TIMEOUT_MS);
  const { json: users } = await daemon.api<readonly { id: number; username: string }[]>('GET', '/api/users');
  const viewer = users.find(({ username }) => username === 'viewer')!;
  await daemon.api('PUT', `/api/users/${viewer.id}`, { quota: { bytes: 2 ** 30 } });
  const all = await waitUntil('all of it', TIMEOUT_MS, async () => {
    const { json } = await daemon.api<StatusDto>('GET', '/api/status');
    return json.all_time.down >= SIZE ? json.all_time : undefined;
  });

  const { page, context, complaints } = await openPage(browser, { viewport: { width: 1440, height: 900 } });
  await world.enter(context);
  await world.open(page);
  await page.getByRole('link', { name: 'Statistics' }).first().click();
  const card = (name: string) => page.getByRole('region', { name, exact: true });

  await t.test('speeds and days', async () => {
    await page.getByRole('button', { name: '1 hour' }).click();
    await page.getByRole('img', { name: 'Speed' }).locator('canvas').waitFor();
    await card('Speed')
      .getByText(/highest 10-second mean [\d.]+ [KM]iB\/s down/)
      .waitFor();
    await page.getByRole('button', { name: '7 days' }).click();
    await page.getByRole('img', { name: 'Per day' }).and(page.locator('[data-points="7"]')).waitFor();
    await page.locator('dl').getByText(bytes(all.down), { exact: false }).first().waitFor();
  });

  await t.test('the figures stand in rows of one length', async (t) => {
    const rowsAt = async (width: number): Promise<number[]> => {
      await page.setViewportSize({ width, height: 900 });
      const tops = await page
        .locator('dl')
        .first()
        .locator('> div')
        .evaluateAll((tiles) => tiles.map((tile) => tile.getBoundingClientRect().top));
      return [...new Set(tops)].map((top) => tops.filter((each) => each === top).length);
    };
    t.same(await rowsAt(390), [2, 2, 2]);
    for (const width of [768, 1024]) t.same(await rowsAt(width), [3, 3], `${width} wide`);
    t.same(await rowsAt(1440), [6]);
  });

  await t.test('the ratio over time, and in which hours of the week most is moved', async (t) => {
    await page.getByRole('img', { name: 'Ratio over time' }).and(page.locator('[data-points="7"]')).waitFor();
    await card('Ratio over time')
      .getByText(/^Ratio of everything so far: .* now\.$/)
      .waitFor();
    const week = page.getByRole('table', { name: 'Hours of the week' });
    const busy = week.locator('td[data-level="5"]').first();
    await busy.waitFor();
    t.match(await busy.innerText(), /^[\d.]+ [KM]?i?B\/s$/, 'read by those who do not see the shade');
    t.equal(await week.getByRole('rowheader').count(), 7);
    t.equal(await week.getByRole('columnheader').count(), 24);
    await card('Hours of the week')
      .getByText(/^Busiest: \w+day, .+ [KM]?i?B\/s$/)
      .waitFor();
    await busy.hover();
    await card('Hours of the week')
      .getByText(/^\w+day, .+ [KM]?i?B\/s$/)
      .waitFor();
    await page.getByRole('group', { name: 'Show' }).getByRole('button', { name: 'Uploaded' }).click();
    await page.mouse.move(0, 0);
    await card('Hours of the week').getByText('Nothing was transferred.').waitFor();
  });

  await t.test('trackers, categories, disks, accounts', async (t) => {
    const row = (of: string, name: string) => card(of).getByRole('row').filter({ hasText: name });
    await row('Trackers', 'Trackerless').getByText(bytes(all.down)).waitFor();
    // None of the three that run is answered.
    await row('Trackers', '127.0.0.1').locator('[data-bad=true]').getByText('3').waitFor();
    await row('Categories', 'Films').waitFor();
    await card('Disks').getByText(daemon.savePath).waitFor();
    t.equal(await card('Disks').locator('[data-forecast]').count(), 0, 'half an hour says nothing of a day');
    await row('Accounts', 'viewer').getByText('0 B of 1.00 GiB').waitFor();
    t.equal(await row('Accounts', 'admin').getByText('No quota').count(), 1);
  });

  await t.test('what is done and what is wrong leads to the torrent', async () => {
    await card('Problems now').getByRole('button', { name: world.torrentName }).getByText('No tracker works').waitFor();
    await card('Completed lately').getByRole('button', { name: 'moved.bin' }).click();
    await page.getByRole('grid', { name: 'Torrents' }).waitFor();
    await page.getByRole('tab', { name: 'Overview' }).waitFor();
  });

  await t.test('the first page, also on another browser, for one who does nothing else', async (t) => {
    await page.getByRole('link', { name: 'Statistics' }).first().click();
    await page.getByRole('button', { name: '7 days', pressed: true }).waitFor();
    await page.getByLabel('Open this page first').check();
    await waitUntil('the server knows', TIMEOUT_MS, async () => {
      const { json } = await daemon.api('GET', '/api/me/preferences');
      return json['start.page'] === 'statistics' || undefined;
    });
    const other = await openPage(browser);
    await world.enter(other.context);
    await other.page.goto(daemon.url);
    await other.page.getByRole('heading', { name: 'Statistics' }).waitFor();
    t.match(other.page.url(), /\/statistics$/);
    await other.page.getByRole('link', { name: 'Torrents' }).first().click();
    await other.page.getByRole('grid', { name: 'Torrents' }).waitFor();
    t.same(other.complaints, []);
    await other.context.close();
  });

  await t.test('the keyboard leads to it', async () => {
    await page.getByRole('link', { name: 'Torrents' }).first().click();
    await page.getByRole('grid', { name: 'Torrents' }).waitFor();
    await page.keyboard.press('g');
    await page.keyboard.press('d');
    await page.getByRole('heading', { name: 'Statistics' }).waitFor();
    await page.keyboard.press('?');
    await page.getByRole('dialog').getByText('Go to statistics').waitFor();
    await page.keyboard.press('Escape');
  });

  await t.test('another account: nothing of it', async (t) => {
    const other = await openPage(browser);
    await world.enter(other.context, 'viewer');
    await other.page.goto(`${daemon.url}/statistics`);
    await other.page.getByText('No torrent has completed yet.').waitFor();
    await other.page.locator('dl').getByText('Session').waitFor();
    await other.page.getByRole('region', { name: 'Disks' }).getByText('0 torrents').waitFor();
    t.equal(await other.page.getByRole('region', { name: 'Accounts' }).count(), 0);
    t.notMatch(await other.page.locator('main').innerText(), daemon.savePath);
    t.notMatch(await other.page.locator('main').innerText(), bytes(all.down));
    t.same(other.complaints, []);
    await other.context.close();
  });
  t.same(complaints, []);
});
