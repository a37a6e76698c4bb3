// The graph of a torrent shows what was before the page was opened, and as many times as can be read.
import t from 'tap';
import type { Page } from 'playwright-core';
import type { RatesDto } from '../../shared-protocol/dto/rates.js';
import { makeTorrent, seededBytes } from '../support/make-torrent.js';
import { seedContent } from '../support/peers/scripted-seed.js';
import { waitUntil } from '../support/peers/wait-until.js';
import { openPage, testInBrowser } from './chromium.js';
import { startWorld, withoutSchedule } from './world.js';

const PIECE = 65_536;
const SIZE = 64 * PIECE;
const TIMEOUT_MS = 60_000;
const MAX_TIMES = 4;
/** Notes what is written on a canvas, the last time that all of it is drawn anew. */
const NOTE_DRAWN = `
  const draw = CanvasRenderingContext2D.prototype.fillText;
  const clear = CanvasRenderingContext2D.prototype.clearRect;
  CanvasRenderingContext2D.prototype.clearRect = function (...given) { window.drawn = []; return clear.apply(this, given); };
  CanvasRenderingContext2D.prototype.fillText = function (text, ...given) {
    (window.drawn ??= []).push(text);
    return draw.call(this, text, ...given);
  };`;

t.setTimeout(120_000);

void testInBrowser(t, 'the graph of a torrent', async (t, browser) => {
  const world = await startWorld();
  t.teardown(() => world.stop());
  const { daemon } = world;
  await withoutSchedule(daemon);
  const limits = { down_kbps: 500, up_kbps: 0, alt_down_kbps: 0, alt_up_kbps: 0, alt_active: false };
  await daemon.api('PUT', '/api/settings/limits', limits);
  const made = makeTorrent({ name: 'moving.bin', pieceLength: PIECE, files: seededBytes(3, SIZE) });
  const id = await daemon.addTorrentFile(made.torrentBytes);
  const seed = await seedContent(
    { bytes: made.payload, infoHash: made.infoHash, pieceLength: PIECE },
    daemon.peerPort,
    Infinity,
  );
  t.teardown(() => seed.destroy());
  const rates = async () => (await daemon.api<RatesDto>('GET', `/api/torrents/${id}/rates`)).json;
  await waitUntil('a rate', TIMEOUT_MS, async () => (await rates()).down.some((rate) => rate! > 0) || undefined);
  const before = Math.floor(Date.now() / 1_000);

  const open = async (page: Page, isPhone: boolean) => {
    await page.addInitScript(NOTE_DRAWN);
    await world.open(page);
    const name = page.getByText('moving.bin').first();
    await (isPhone ? name.click() : name.dblclick());
    await page.getByRole('tab', { name: 'Speed' }).click();
    return page.getByRole('img', { name: 'Speed, last' });
  };

  await t.test('opens full', async () => {
    const { page, context, complaints } = await openPage(browser);
    await world.enter(context);
    const chart = await open(page, false);
    await waitUntil('the time before', TIMEOUT_MS, async () => {
      const since = await chart.getAttribute('data-since');
      return (since && Number(since) <= before) || undefined;
    });
    t.same(complaints, []);
    await context.close();
  });

  await t.test('on a phone: times that can be read', async (t) => {
    const { page, context, complaints } = await openPage(browser, { viewport: { width: 390, height: 844 } });
    await world.enter(context);
    await open(page, true);
    const times = await waitUntil('labels', TIMEOUT_MS, async () => {
      const drawn = (await page.evaluate('window.drawn ?? []')) as readonly string[];
      const found = drawn.filter((text) => /\d:\d\d/.test(text));
      return found.length > 0 ? found : undefined;
    });
    t.ok(times.length >= 2 && times.length <= MAX_TIMES, times.join(' '));
    t.same(complaints, []);
    await context.close();
  });
});
