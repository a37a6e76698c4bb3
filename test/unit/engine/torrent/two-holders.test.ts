// A torrent that several accounts hold, in a whole engine: what is announced, who stays, and what the next run knows.
import t from 'tap';
import { parseAccountId, type AccountId } from '../../../../shared-protocol/ids.js';
import type { TorrentSource } from '../../../../shared-protocol/commands/adding.js';
import { makeTorrent, seededBytes } from '../../../support/make-torrent.js';
import { Bench, PIECE } from '../session/engine-bench.js';

const [ANN, BOB, EVE] = [parseAccountId(2), parseAccountId(3), parseAccountId(4)];
const ANNS = 'http://t.example/ann/announce';
const BOBS = 'http://u.example/bob/announce';

const made = (tracker: string, isPrivate = false) =>
  makeTorrent({
    name: 'held',
    pieceLength: PIECE,
    files: [
      { path: ['one'], bytes: seededBytes(1, PIECE) },
      { path: ['two'], bytes: seededBytes(2, PIECE) },
    ],
    trackers: [[tracker]],
    private: isPrivate,
  });

const fileOf = (tracker: string, isPrivate = false): TorrentSource => ({
  kind: 'metainfo',
  bytes: made(tracker, isPrivate).torrentBytes,
});
const id = made(ANNS).infoHash;
const privateId = made(ANNS, true).infoHash;
const magnet = (hash: string, tracker?: string): TorrentSource => ({
  kind: 'magnet',
  uri: `magnet:?xt=urn:btih:${hash}&dn=heard${tracker ? `&tr=${encodeURIComponent(tracker)}` : ''}`,
});

class Held extends Bench {
  #heard = 0;

  addFor(ownerId: AccountId, source: TorrentSource, paused = false) {
    return this.engine.addTorrent({ source, savePath: '/save', ownerId, paused });
  }

  joinFor(ownerId: AccountId, source: TorrentSource, paused = false) {
    return this.engine.joinTorrent({ source, savePath: '/other', ownerId, paused });
  }

  /** What trackers have been told since the last time. */
  async heard(): Promise<string[]> {
    await this.clock.advance(1_000);
    const { said } = this.tracker;
    const news = said.slice(this.#heard).sort();
    this.#heard = said.length;
    return news;
  }

  holders(of = id) {
    return this.facts.get(of)?.holders?.map(({ accountId }) => accountId);
  }
}

async function start(): Promise<Held> {
  const bench = new Held();
  await bench.start();
  return bench;
}

void t.test('it runs for those who run it, with their trackers alone', async (t) => {
  const bench = await start();
  const { engine } = bench;
  await bench.addFor(ANN, fileOf(ANNS), true);
  t.same(await bench.heard(), []);
  await bench.joinFor(BOB, fileOf(BOBS));
  t.same(await bench.heard(), ['started u.example'], 'a pause of one keeps it from nobody');
  t.match(bench.facts.get(id), { ownerId: ANN, savePath: '/save', trackers: `${ANNS}\n${BOBS}` });
  t.match(bench.facts.get(id)?.holders, [
    { accountId: ANN, trackers: ANNS, paused: true },
    { accountId: BOB, trackers: BOBS, paused: false },
  ]);
  await engine.resumeTorrent({ id, by: ANN });
  t.same(await bench.heard(), ['started t.example']);
  await engine.pauseTorrent({ id, by: BOB });
  t.same(await bench.heard(), ['stopped u.example']);
  t.notOk(bench.hasFlag(id, 'paused'));
  const shown = async (by?: AccountId) =>
    (await engine.inspectTorrent({ id, parts: ['trackers'], ...(by ? { by } : {}) })).trackers?.map(
      ({ url, status }) => `${url} ${status}`,
    );
  t.same(await shown(ANN), [`${ANNS} working`]);
  t.same(await shown(BOB), [`${BOBS} not contacted`]);
  t.same(await shown(), [`${ANNS} working`, `${BOBS} not contacted`]);
  await engine.pauseTorrent({ id, by: ANN });
  t.same(await bench.heard(), ['stopped t.example']);
  t.ok(bench.hasFlag(id, 'paused'));
  await engine.resumeTorrent({ id });
  t.same(await bench.heard(), ['started t.example', 'started u.example'], 'for all');
  await bench.stop();
});

void t.test('one leaves, then the last one: the torrent goes with it', async (t) => {
  const bench = await start();
  const { engine, store } = bench;
  await bench.addFor(ANN, fileOf(ANNS));
  await bench.joinFor(BOB, fileOf(BOBS));
  await bench.joinFor(EVE, magnet(id), true);
  await bench.heard();
  await engine.removeTorrent({ id, by: ANN, deleteData: true });
  t.same(await bench.heard(), ['stopped t.example']);
  t.match(bench.facts.get(id), { ownerId: BOB, trackers: BOBS });
  t.same(bench.holders(), [BOB, EVE]);
  await t.rejects(async () => engine.removeTorrent({ id, by: ANN, deleteData: true }), { code: 'TORRENT_NOT_FOUND' });
  await t.rejects(async () => engine.resumeTorrent({ id, by: ANN }), { code: 'TORRENT_NOT_FOUND' });
  await engine.leaveTorrent({ id, by: EVE });
  t.equal(store.row(id)?.holders, null);
  await engine.leaveTorrent({ id, by: BOB });
  t.ok(bench.facts.has(id), 'nobody but the last one lets it go');
  const [left, again] = await Promise.allSettled([
    engine.removeTorrent({ id, by: BOB, deleteData: false }),
    bench.joinFor(EVE, magnet(id)),
  ]);
  t.equal(left.status, 'fulfilled');
  t.match(again, { status: 'rejected', reason: { code: 'TORRENT_NOT_FOUND' } }, 'too late');
  t.notOk(bench.facts.has(id));
  t.equal(store.row(id), undefined);
  await bench.stop();
});

void t.test('in the queue it takes the turns of who runs it', async (t) => {
  const bench = await start();
  const { engine } = bench;
  await engine.setQueueLimits({ maxActiveDownloads: 1, maxActiveSeeds: 0 });
  const bobs = await bench.addFor(BOB, magnet('e'.repeat(40)));
  await bench.addFor(ANN, fileOf(ANNS));
  await bench.joinFor(BOB, fileOf(BOBS));
  t.ok(bench.hasFlag(id, 'queued'), 'behind the first of bob, who came first');
  await engine.setQueueLimits({ maxActiveDownloads: 2, maxActiveSeeds: 0 });
  const eves = await bench.addFor(EVE, magnet('d'.repeat(40)));
  t.notOk(bench.hasFlag(id, 'queued'), 'the first of ann');
  t.ok(bench.hasFlag(eves.id, 'queued'), 'the first of eve comes later');
  await engine.pauseTorrent({ id, by: ANN });
  t.ok(bench.hasFlag(id, 'queued'), 'the second of bob');
  t.notOk(bench.hasFlag(eves.id, 'queued'));
  t.notOk(bench.hasFlag(bobs.id, 'queued'));
  await engine.resumeTorrent({ id, by: ANN });
  t.notOk(bench.hasFlag(id, 'queued'));
  await bench.stop();
});

void t.test('files, limits and the place in the queue: nobody takes anything from another', async (t) => {
  const bench = await start();
  const { engine, store } = bench;
  await bench.addFor(EVE, magnet('e'.repeat(40)));
  await bench.addFor(ANN, fileOf(ANNS));
  await engine.setFilePriorities({ id, by: ANN, priorities: { 0: 'skip' } });
  await engine.setTorrentRateLimits({ id, by: ANN, downBytesPerSec: 1, upBytesPerSec: 1 });
  t.equal(bench.statsOf(id).wantedBytes, PIECE);
  await bench.joinFor(BOB, fileOf(BOBS));
  t.equal(bench.statsOf(id).wantedBytes, 2 * PIECE, 'bob wants it all');
  t.same(await engine.torrentRateLimits({ id }), { downBytesPerSec: 0, upBytesPerSec: 0 });
  t.same(await engine.torrentRateLimits({ id, by: ANN }), { downBytesPerSec: 1, upBytesPerSec: 1 });
  const priorities = async (by: AccountId) =>
    (await engine.inspectTorrent({ id, by, parts: ['files'] })).files?.map(({ priority }) => priority);
  t.same(await priorities(ANN), ['skip', 'normal']);
  await engine.setFilePriorities({ id, by: BOB, priorities: { 1: 'skip' } });
  t.same(await priorities(BOB), ['normal', 'skip']);
  t.equal(bench.statsOf(id).wantedBytes, 2 * PIECE);
  t.equal(bench.statsOf(id).queuePosition, 1);
  await engine.setQueuePosition({ id, by: BOB, position: 0 });
  t.equal(bench.statsOf(id).queuePosition, 0);
  await engine.setQueuePosition({ id, by: BOB, position: 1 });
  t.equal(bench.statsOf(id).queuePosition, 0, 'forward only');
  await engine.setQueuePosition({ id, position: 1 });
  t.equal(bench.statsOf(id).queuePosition, 1, 'an administrator may');
  await engine.recheckTorrent({ id, by: BOB });
  await t.rejects(async () => engine.recheckTorrent({ id, by: ANN }), { code: 'CHECKED_LATELY' });
  await engine.recheckTorrent({ id });
  await engine.removeTorrent({ id, by: BOB, deleteData: true });
  t.equal(bench.statsOf(id).wantedBytes, PIECE, 'as ann has it');
  t.match(store.row(id), { holders: null, rateLimits: { downBytesPerSec: 1 }, filePriorities: ['skip', 'normal'] });
  await engine.recheckTorrent({ id, by: ANN });
  await bench.stop();
});

void t.test('a private torrent is joined with its file alone', async (t) => {
  const bench = await start();
  await bench.addFor(ANN, fileOf(ANNS, true));
  await t.rejects(async () => bench.joinFor(BOB, magnet(privateId, BOBS)), { code: 'TORRENT_PRIVATE' });
  await bench.joinFor(BOB, fileOf(BOBS, true));
  t.same(bench.holders(privateId), [ANN, BOB]);
  await bench.joinFor(BOB, magnet(privateId, 'http://further.example/announce'));
  t.same(bench.facts.get(privateId)?.holders?.[1]?.trackers, BOBS, 'and keeps to its trackers');
  await bench.stop();
});

void t.test('the file of the second one serves the first, who only had the hash', async (t) => {
  const bench = await start();
  const { engine, store } = bench;
  await bench.addFor(EVE, magnet(id), true);
  await engine.setFilePriorities({ id, by: EVE, priorities: { 0: 'skip', 1: 'skip' } });
  await bench.joinFor(BOB, fileOf(BOBS));
  t.match(bench.facts.get(id), { name: 'held', hasMetadata: true, ownerId: EVE, totalBytes: 2 * PIECE });
  t.same(bench.holders(), [EVE, BOB]);
  t.equal(bench.statsOf(id).wantedBytes, 2 * PIECE);
  t.ok(store.infoBytes(id));
  t.same(await bench.heard(), ['started u.example']);
  await bench.stop();
});

void t.test('a magnet that turns out to be private: who brought nothing but its hash is put out', async (t) => {
  const bench = await start();
  await bench.addFor(EVE, magnet(privateId), true);
  await bench.joinFor(ANN, magnet(privateId, ANNS));
  await bench.joinFor(BOB, fileOf(BOBS, true));
  t.match(bench.facts.get(privateId), { ownerId: ANN, isPrivate: true });
  t.same(bench.holders(privateId), [ANN, BOB]);
  await bench.stop();
});

void t.test('while the metadata is unknown each calls it by its own name', async (t) => {
  const bench = await start();
  await bench.addFor(ANN, { kind: 'magnet', uri: `magnet:?xt=urn:btih:${id}&dn=secret` });
  await bench.joinFor(BOB, magnet(id));
  t.same(
    bench.facts.get(id)?.holders?.map(({ name }) => name),
    ['secret', 'heard'],
  );
  await bench.stop();
});

void t.test('the next run knows every share', async (t) => {
  const bench = await start();
  await bench.addFor(ANN, fileOf(ANNS));
  await bench.joinFor(BOB, fileOf(BOBS), true);
  await bench.engine.setForceStart({ id, by: BOB, forceStart: true });
  const record = { shares: [], categoryId: 4, tagIds: [1], seedPolicy: null, seedingSince: null };
  await bench.engine.setLibraryRecord({ id, by: BOB, record });
  const before = bench.facts.get(id);
  await bench.stop();
  const after = new Held(bench.store, bench.disk);
  await after.start();
  t.same(after.facts.get(id)?.holders, before?.holders);
  t.match(before?.holders, [
    { accountId: ANN, forceStart: false, library: { categoryId: null } },
    { accountId: BOB, forceStart: true, paused: true, library: record },
  ]);
  t.same(await after.heard(), ['started t.example']);
  await after.stop();
});

void t.test('what many do at once is all done', async (t) => {
  const bench = await start();
  const { engine } = bench;
  await bench.addFor(ANN, fileOf(ANNS));
  await Promise.all([
    engine.pauseTorrent({ id, by: ANN }),
    bench.joinFor(BOB, fileOf(BOBS), true),
    bench.joinFor(EVE, magnet(id), true),
    engine.setSequential({ id, by: ANN, sequential: true }),
    engine.addTracker({ id, by: ANN, accountId: ANN, url: 'http://more.example/announce' }),
  ]);
  t.same(bench.holders(), [ANN, BOB, EVE]);
  t.ok(bench.hasFlag(id, 'paused'));
  t.match(bench.facts.get(id)?.holders?.[0], { paused: true, sequential: true, trackers: /more\.example/ });
  await bench.stop();
});
