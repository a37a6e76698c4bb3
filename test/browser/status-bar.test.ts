// What the page says below the list: rates with their limits, what was moved, room, and whether peers come in; on a phone
// in the drawer, where it is in nobody's way.
import t from 'tap';
import type { RatesDto } from '../../shared-protocol/dto/rates.js';
import type { StatusDto } from '../../shared-protocol/dto/status.js';
import { bytes } from '../../api/web/src/format/quantities.js';
import { makeTorrent, seededBytes } from '../support/make-torrent.js';
import { seedContent } from '../support/peers/scripted-seed.js';
import { waitUntil } from '../support/peers/wait-until.js';
import { openPage, testInBrowser } from './chromium.js';
import { startWorld, withoutSchedule } from './world.js';

const PIECE = 65_536;
/** More than comes down while the test looks. */
const SIZE = 400 * PIECE;
const TIMEOUT_MS = 60_000;
const LIMITS = { down_kbps: 700, up_kbps: 300, alt_down_kbps: 0, alt_up_kbps: 0, alt_active: false };

t.setTimeout(120_000);

void testInBrowser(t, 'the status bar', async (t, browser) => {
  const world = await startWorld();
  t.teardown(() => world.stop());
  const { daemon } = world;
  await withoutSchedule(daemon);
  const { page, context, complaints } = await openPage(browser, { viewport: { width: 1440, height: 900 } });
  await world.enter(context);
  await world.open(page);
  const bar = page.getByRole('region', { name: 'Status' });
  const part = (name: string) => bar.locator(`[data-part=${name}]`);
  const statusOf = async () => (await daemon.api<StatusDto>('GET', '/api/status')).json;

  await t.test('before anything was moved', async (t) => {
    await part('port').locator('[data-state=unknown]').waitFor();
    t.match(await part('port').getAttribute('title'), `No incoming connection on port ${daemon.peerPort} yet`);
    t.equal(await part('dht').getAttribute('title'), 'DHT is disabled');
    t.match(await part('ratio').innerText(), /Ratio\s*–/);
    const { free_bytes, total_bytes } = (await statusOf()).disks[0]!;
    t.match(await part('room').innerText(), / free$/);
    t.match(await part('room').getAttribute('title'), `${daemon.savePath}: `);
    t.ok(free_bytes! <= total_bytes!);
    t.equal(await part('down').getAttribute('title'), 'No limit');
  });

  await t.test('what is moved, and what it may come to', async (t) => {
    await daemon.api('PUT', '/api/settings/limits', LIMITS);
    const made = makeTorrent({ name: 'moved.bin', pieceLength: PIECE, files: seededBytes(3, SIZE) });
    const id = await daemon.addTorrentFile(made.torrentBytes);
    const content = { bytes: made.payload, infoHash: made.infoHash, pieceLength: PIECE };
    const seed = await seedContent(content, daemon.peerPort, Infinity);
    t.teardown(() => seed.destroy());
    await part('down')
      .getByText(/[KM]iB\/s$/)
      .first()
      .waitFor();
    // Rates are kept as they are once a second: what is paused before is at rest.
    await waitUntil('a rate that is kept', TIMEOUT_MS, async () => {
      const { json } = await daemon.api<RatesDto>('GET', '/api/stats/rates?seconds=60&points=60');
      return json.down.some((rate) => (rate ?? 0) > 0) || undefined;
    });
    await daemon.api('POST', `/api/torrents/${id}/pause`);
    await page.reload();
    await part('port').locator('[data-state=reachable]').waitFor();
    await part('down').getByText('limit 700 KiB/s').waitFor();
    await part('up').getByText('limit 300 KiB/s').waitFor();
    t.equal(await part('down').getAttribute('title'), 'Global limit: 700 KiB/s');
    await waitUntil('what was moved', TIMEOUT_MS, async () => {
      const moved = bytes((await statusOf()).session.down);
      return (await part('session').innerText()).includes(moved) || undefined;
    });
    await page.locator('[data-part=ratio]').getByText('0.00').waitFor();
  });

  await t.test('a picture of the last minutes', async (t) => {
    const samples = async () => Number(await bar.getByRole('img').getAttribute('data-samples'));
    const before = await samples();
    await waitUntil('another sample', TIMEOUT_MS, async () => (await samples()) > before || undefined);
    const label = await bar.getByRole('img').getAttribute('aria-label');
    t.match(label, /^Speed of the last 5 minutes: highest [\d.]+ [KM]iB\/s down/, 'also of the time before the page');
    const answered = page.waitForResponse((response) => new URL(response.url()).pathname === '/api/stats/rates');
    await page.reload();
    const { step, down } = (await (await answered).json()) as RatesDto;
    t.equal(step, 3, 'as many seconds as a sample has');
    t.ok(down.length <= 101, `${down.length} steps`);
    await waitUntil('what the server has kept', TIMEOUT_MS, async () => (await samples()) > before || undefined);
  });

  await t.test('another account: its own, and no port', async (t) => {
    const other = await openPage(browser);
    await world.enter(other.context, 'viewer');
    await other.page.goto(daemon.url);
    const its = other.page.getByRole('region', { name: 'Status' });
    await its.locator('[data-part=port] [data-state=reachable]').waitFor();
    const title = await its.locator('[data-part=port]').getAttribute('title');
    t.equal(title, 'Reachable: peers connect from outside');
    t.notMatch(await its.locator('[data-part=room]').getAttribute('title'), daemon.savePath);
    t.equal(await its.locator('[data-part=session] strong').first().innerText(), '0 B');
    t.same(other.complaints, []);
    await other.context.close();
  });

  await t.test('on a phone: in the drawer', async () => {
    await page.setViewportSize({ width: 390, height: 844 });
    await bar.waitFor({ state: 'detached' });
    await page.getByRole('button', { name: 'Navigation and filters' }).click();
    const drawer = page.getByRole('navigation', { name: 'Navigation and filters' });
    await drawer.getByRole('region', { name: 'Status' }).locator('[data-part=room]').waitFor();
    await page.keyboard.press('Escape');
    await bar.waitFor({ state: 'detached' });
  });
  t.same(complaints, []);
});
