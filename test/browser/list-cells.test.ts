// What the cells of the list say where there is little room: tags, times, names that are no names yet, and in full when
// the mouse rests on them.
import t from 'tap';
import { narrowDuration } from '../../api/web/src/format/quantities.js';
import { makeTorrent, seededBytes } from '../support/make-torrent.js';
import { seedContent } from '../support/peers/scripted-seed.js';
import { frame, handshake, ID, RawPeer, uint32 } from '../support/peers/raw-peer.js';
import { startUpstream } from '../support/upstream.js';
import { speakAll } from '../support/texts.js';
import { openPage, showAllColumns, testInBrowser } from './chromium.js';
import { startWorld } from './world.js';

const HASH = 'a1b2c3d4e5'.repeat(4);
const TAGS = ['first of several', 'keep', 'second of several', 'third'];
/** Of 16 px each: more than all tags are wide. */
const STEPS = 20;
/** Some minutes of it. */
const [SLOW_BYTES, SLOW_KBPS] = [4_000_000, 16];
/** The widest of each pair of units. */
const TIMES_LEFT_S = [59, 9 * 60 + 59, 59 * 60, 9.99 * 3_600, 23.99 * 3_600, 9.99 * 86_400, 364.9 * 86_400, 3e9];
/** As a tracker tells of a swarm. */
const SWARM = { complete: 803, incomplete: 113 };

t.setTimeout(120_000);

void testInBrowser(t, 'cells', async (t, browser) => {
  const tracker = await startUpstream((_request, response) =>
    response.end(`d8:completei${SWARM.complete}e10:incompletei${SWARM.incomplete}e8:intervali1800e5:peers0:e`),
  );
  t.teardown(() => tracker.close());
  const world = await startWorld();
  t.teardown(() => world.stop());
  const { daemon } = world;
  await daemon.addMagnet(`magnet:?xt=urn:btih:${HASH}`);
  const announced = makeTorrent({
    name: 'announced.bin',
    pieceLength: 16_384,
    files: seededBytes(4, 16_384),
    trackers: [`${tracker.origin}/announce`],
  });
  await daemon.addTorrentFile(announced.torrentBytes);
  const shared = makeTorrent({ name: 'shared.bin', pieceLength: 16_384, files: seededBytes(5, 8 * 16_384) });
  await daemon.addTorrentFile(shared.torrentBytes);
  const { id } = (await daemon.torrents()).find(({ name }) => name === world.torrentName)!;
  for (const name of TAGS.filter((tag) => tag !== 'keep')) {
    const tag = await daemon.api('POST', '/api/tags', { name, color: '#c2410c' });
    await daemon.api('POST', '/api/tags/assign', { infohash: id, tag_id: tag.json['id'] });
  }
  const { page, context, complaints } = await openPage(browser, { viewport: { width: 1920, height: 800 } });
  await showAllColumns(world.daemon);
  await world.enter(context);
  await world.open(page);
  const cell = (name: string, column: string) =>
    page.getByRole('row', { name }).locator(`[role=gridcell][data-column=${column}]`);
  const hint = async (name: string, column: string) => {
    await cell(name, column).hover();
    await page.locator(`[data-column=${column}][title]`).waitFor();
    return cell(name, column).getAttribute('title');
  };

  await t.test('tags are whole, and the others are counted', async (t) => {
    const tags = cell(world.torrentName, 'tags');
    await tags.getByText(/^\+[123]$/).waitFor();
    const cut = await tags.evaluate(
      (element) =>
        [...element.querySelectorAll('[data-look=tag] span')].filter(
          ({ scrollWidth, clientWidth }) => scrollWidth > clientWidth,
        ).length,
    );
    t.equal(cut, 0);
    const all = (await hint(world.torrentName, 'tags')) ?? '';
    t.same(all.split(', ').sort(), TAGS);
    await page.getByRole('columnheader', { name: 'Tags' }).getByRole('button').focus();
    for (let step = 0; step < STEPS; step++) await page.keyboard.press('Shift+ArrowRight');
    for (const name of TAGS) await tags.getByText(name, { exact: true }).waitFor();
    t.equal(await tags.getByText(/^\+\d/).count(), 0, 'there is room for all');
  });

  await t.test('a time of today has its hour, and the day is in the hint', async (t) => {
    t.match(await cell(world.torrentName, 'added').innerText(), /\d:\d\d/);
    t.match(await hint(world.torrentName, 'added'), new RegExp(`${new Date().getFullYear()}.*\\d:\\d\\d`));
  });

  await t.test('any cell says itself in full', async (t) => {
    t.match(await hint(world.torrentName, 'state'), /^(Stalled|127\.0\.0\.1: .+)$/, 'and why, once that is known');
    t.equal(await hint(world.torrentName, 'category'), 'Films');
    t.equal(await page.locator('[role=gridcell][title]').count(), 1, 'and only the one that is pointed at');
  });

  await t.test('limits of its own, time active, info hash and access have columns, and are sorted by', async (t) => {
    await daemon.api('PUT', `/api/torrents/${id}/rate_limits`, { down_kbps: 2_048, up_kbps: 512 });
    await cell(world.torrentName, 'downLimit').getByText('2.00 MiB/s', { exact: true }).waitFor();
    await cell(world.torrentName, 'upLimit').getByText('512 KiB/s', { exact: true }).waitFor();
    t.equal(await cell('whole.bin', 'upLimit').innerText(), '', 'nothing where there is none');
    t.match(await cell('whole.bin', 'activeTime').innerText(), /^(\d+[smh] ?)*$/);
    t.equal(await cell('Arch', 'access').innerText(), 'Owner');
    t.equal(await hint(world.torrentName, 'infoHash'), id);
    const head = page.locator('[role=columnheader][data-column=upLimit]');
    await head.getByRole('button').click();
    await page.locator('[role=row][aria-rowindex="2"]').filter({ hasText: world.torrentName }).waitFor();
    t.equal(await head.getAttribute('aria-sort'), 'descending');
    // None comes last, whichever way round.
    await head.getByRole('button').click();
    await page.locator('[role=columnheader][data-column=upLimit][aria-sort=ascending]').waitFor();
    await page.locator('[role=row][aria-rowindex="2"]').filter({ hasText: world.torrentName }).waitFor();
    await daemon.api('PUT', `/api/torrents/${id}/rate_limits`, { down_kbps: 0, up_kbps: 0 });
    await cell(world.torrentName, 'upLimit').filter({ hasText: /^$/ }).waitFor();
  });

  await t.test('the swarm is counted as its tracker does, beside those that are connected', async (t) => {
    await cell('announced.bin', 'seeds').getByText('0 (803)', { exact: true }).waitFor();
    await cell('announced.bin', 'peers').getByText('0 (113)', { exact: true }).waitFor();
    t.equal(await cell('whole.bin', 'seeds').innerText(), '0', 'no tracker has told');
  });

  await t.test('copies among the peers are told as they come and go, sorted by and searched for', async (t) => {
    const shown = cell('shared.bin', 'availability');
    t.equal(await shown.innerText(), '', 'nobody is connected');
    const peer = await RawPeer.connect(daemon.peerPort, { localAddress: '127.0.0.2' });
    t.teardown(() => peer.destroy());
    peer.send(handshake(shared.infoHash), frame(ID.bitfield, Buffer.of(0b1110_0000)));
    // Three of eight, rounded down.
    await shown.getByText('0.37', { exact: true }).waitFor();
    peer.send(frame(ID.have, uint32(7)));
    await shown.getByText('0.50', { exact: true }).waitFor();
    await page.locator('[role=columnheader][data-column=availability]').getByRole('button').click();
    await page.locator('[role=row][aria-rowindex="2"]').filter({ hasText: 'shared.bin' }).waitFor();
    const search = page.getByRole('combobox', { name: 'Search' });
    await search.fill('availability<1');
    await page.locator('[role=grid][aria-rowcount="2"]').waitFor();
    await search.fill('');
    peer.destroy();
    await shown.filter({ hasText: /^$/ }).waitFor();
  });

  await t.test('the time left fits its column in German as well, and is in full in the hint', async (t) => {
    await speakAll('de');
    const made = makeTorrent({ name: 'slow.bin', pieceLength: 16_384, files: seededBytes(6, SLOW_BYTES) });
    const slow = await daemon.addTorrentFile(made.torrentBytes);
    await daemon.api('PUT', `/api/torrents/${slow}/rate_limits`, { down_kbps: SLOW_KBPS, up_kbps: 0 });
    const content = { bytes: made.payload, infoHash: made.infoHash, pieceLength: 16_384 };
    const seed = await seedContent(content, daemon.peerPort, Infinity);
    t.teardown(() => seed.destroy());
    const german = await openPage(browser, { viewport: { width: 1440, height: 900 }, locale: 'de-DE' });
    await world.enter(german.context);
    await world.open(german.page);
    const left = german.page.getByRole('row', { name: 'slow.bin' }).locator('[role=gridcell][data-column=eta]');
    await left.getByText(/^\d+m( \d+s)?$/).waitFor();
    await left.hover();
    await left.and(german.page.locator('[title*=min]')).waitFor();
    const texts = TIMES_LEFT_S.map(narrowDuration);
    t.same(await german.page.evaluate(tooWideIn('eta', texts)), [], texts.join(' | '));
    t.same(german.complaints, []);
    await german.context.close();
  });

  await t.test('places in the queue are of those that wait to be downloaded', async (t) => {
    t.equal(await cell('whole.bin', 'queue').innerText(), '', 'a complete one has none');
    const { json } = await daemon.api<readonly { id: string; queue_position: number }[]>('GET', '/api/torrents');
    const place = json.find((each) => each.id === id)!.queue_position;
    t.equal(await cell(world.torrentName, 'queue').innerText(), String(place + 1));
  });

  await t.test('an info hash that stands for a name is marked', async (t) => {
    await cell(HASH, 'name').getByText('Magnet', { exact: true }).waitFor();
    t.equal(await cell(world.torrentName, 'name').getByText('Magnet').count(), 0);
  });
  t.same(complaints, []);
});

/** A script that gives those of the texts for which there is no room in the cell of the column. */
function tooWideIn(column: string, texts: readonly string[]): string {
  return `${JSON.stringify(texts)}.filter((text) => {
    const cell = document.querySelector('[role=gridcell][data-column=${column}]');
    const copy = cell.cloneNode();
    copy.textContent = text;
    cell.after(copy);
    const isTooWide = copy.scrollWidth > copy.clientWidth;
    copy.remove();
    return isTooWide;
  })`;
}
