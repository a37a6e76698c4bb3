// What people look at of a torrent, through the engine's command: the parts that were asked for, as they are now, and a
// torrent that rests is left resting.
import t from 'tap';
import bencode from 'bencode';
import { createHash } from 'node:crypto';
import type { DetailPart } from '../../../../../shared-protocol/commands/details.js';
import { ADMIN_ACCOUNT_ID, parseAccountId, parseInfoHash, type AccountId } from '../../../../../shared-protocol/ids.js';
import { createMemoryTorrentStore } from '../../../../support/memory-torrent-store.js';
import { createEngine } from '../../../../../engine/core.js';
import { writeTorrentFile } from '../../../../../engine/metainfo/index.js';
import { createSlab } from '../../../../../engine/hashing/index.js';
import { Session } from '../../../../../engine/session/session.js';
import { createAnnounceQueue } from '../../../../../engine/tracker/index.js';
import { QUIET } from '../../../../support/disk-fixtures.js';
import { TEST_ENGINE_OPTIONS } from '../../../../support/engine-options.js';
import { frame, handshake } from '../../../../support/frames.js';
import { makeTorrent, seededBytes } from '../../../../support/make-torrent.js';
import { MemoryDisk } from '../../../../support/memory-disk.js';
import { MemoryNetwork } from '../../../../support/memory-network.js';
import { NO_WEB_SEEDS } from '../../../../support/no-web-seeds.js';
import { ScriptedPeer } from '../../../../support/scripted-peer.js';
import { reply, ScriptedTrackerClient } from '../../../../support/scripted-tracker-client.js';
import { SeededRandom } from '../../../../support/seeded-random.js';
import { VirtualClock } from '../../../../support/virtual-clock.js';

const PIECE = 32 * 1024;
const TRACKER = 'http://tracker.example/announce';
const ALL: readonly DetailPart[] = ['files', 'peers', 'trackers'];
const NO_PIECES = { pieceCount: 0, pieceLength: 0, have: new Uint8Array(), availability: null };
/** After its last peer has left, or its files were looked at. */
const RESTS_AFTER_MS = 61_000;
/** Unix seconds, of the virtual clock. */
const STARTED_AT = 1_735_689_600;

const FIRST = seededBytes(1, PIECE + 10);
const SECOND = seededBytes(2, 2 * PIECE);
const ALBUM = makeTorrent({
  name: 'album',
  pieceLength: PIECE,
  padFiles: true,
  files: [
    { path: ['first.flac'], bytes: FIRST },
    { path: ['extra', 'second.flac'], bytes: SECOND },
  ],
  trackers: [TRACKER],
});

async function start() {
  const clock = new VirtualClock();
  const random = new SeededRandom(5);
  const network = new MemoryNetwork({ clock });
  const disk = new MemoryDisk();
  const store = createMemoryTorrentStore();
  const tracker = new ScriptedTrackerClient(() => reply({ seeds: 3, leechers: 4, downloaded: 5 }));
  const read = { metainfo: 0, opened: 0 };
  const watchedStore = Object.assign(Object.create(store) as typeof store, {
    infoBytes: (...args: Parameters<typeof store.infoBytes>) => {
      read.metainfo++;
      return store.infoBytes(...args);
    },
  });
  const watchedDisk = Object.assign(Object.create(disk) as MemoryDisk, {
    openTorrent: (...args: Parameters<typeof disk.openTorrent>) => {
      read.opened++;
      return disk.openTorrent(...args);
    },
  });
  const engine = createEngine({
    emit: () => undefined,
    unixMs: () => clock.unixMs(),
    createSession: async (options, events) =>
      new Session(
        {
          clock,
          random,
          log: QUIET,
          network: network.host('10.0.0.1'),
          disk: watchedDisk,
          store: watchedStore,
          slab: createSlab(256 * 1024),
          hasher: disk.hasher,
          webSeeds: NO_WEB_SEEDS,
          createAnnounces: (identity) =>
            createAnnounceQueue({ clock, random, log: QUIET, identity, http: tracker, udp: tracker }),
        },
        options,
        events,
      ),
  });
  await engine.start({ ...TEST_ENGINE_OPTIONS, peerPort: 6881 });
  const add = async (source: Parameters<typeof engine.addTorrent>[0]['source']) => {
    const { id } = await engine.addTorrent({ source, savePath: '/save', ownerId: ADMIN_ACCOUNT_ID, paused: false });
    await clock.advance(100);
    return id;
  };
  const stop = async () => {
    const stopping = engine.stop({ timeoutMs: 1_000 });
    await clock.advance(2_000);
    await stopping;
  };
  return { clock, network, disk, tracker, engine, read, add, stop };
}

const albumFile = { kind: 'metainfo', bytes: ALBUM.torrentBytes } as const;

void t.test('the parts that were asked for, and no others', async (t) => {
  const { engine, add, stop } = await start();
  const id = await add(albumFile);
  for (const parts of [[], ['files'], ['peers'], ['trackers'], ['pieces'], ALL] as const) {
    t.same(Object.keys(await engine.inspectTorrent({ id, parts })), [...parts], parts.join());
  }
  await stop();
});

void t.test('a torrent that rests: its files from what is stored, read once; nothing is opened', async (t) => {
  const { clock, disk, engine, read, add, stop } = await start();
  disk.put('/save/album/extra/second.flac', 0, SECOND);
  const id = await add(albumFile);
  await clock.advance(RESTS_AFTER_MS);
  read.opened = read.metainfo = 0;
  for (let second = 0; second < 5; second++) {
    const { trackers, ...others } = await engine.inspectTorrent({ id, parts: ALL });
    t.same(others, {
      files: [
        { index: 0, path: 'album/first.flac', sizeBytes: FIRST.length, bytesDone: 0, priority: 'normal' },
        {
          index: 2,
          path: 'album/extra/second.flac',
          sizeBytes: SECOND.length,
          bytesDone: SECOND.length,
          priority: 'normal',
        },
      ],
      peers: [],
    });
    const [{ nextAnnounce = 0, ...tracker } = {}, ...further] = trackers ?? [];
    t.same(tracker, {
      url: TRACKER,
      tier: 0,
      status: 'working',
      seeds: 3,
      peers: 4,
      downloaded: 5,
      hasTold: true,
      lastAnnounce: STARTED_AT,
      answered: true,
      fails: 0,
      message: '',
      peersGiven: 0,
      interval: 1_800,
      minInterval: 0,
    });
    // Half an hour was asked for; a tenth more or less is ours to choose.
    t.ok(Math.abs(nextAnnounce - STARTED_AT - 1_800) <= 180, `next announce ${nextAnnounce}`);
    t.same(further, []);
    await clock.advance(1_000);
  }
  t.same(read, { opened: 0, metainfo: 1 });
  await stop();
});

void t.test('one that is awake: the peers it has shaken hands with, its files from what is open', async (t) => {
  const { clock, network, engine, read, add, stop } = await start();
  const id = await add(albumFile);
  const dial = () => new ScriptedPeer(network.connectFrom('10.0.0.7', { host: '10.0.0.1', port: 6881 }));
  dial().send(handshake({ infoHash: id, peerId: '01'.repeat(20) }));
  dial();
  await clock.settle();
  read.metainfo = 0;
  const { peers, files } = await engine.inspectTorrent({ id, parts: ['peers', 'files'] });
  t.match(peers, [{ host: '10.0.0.7', flags: /I/, progress: 0 }]);
  t.equal(peers?.length, 1, 'the other has not said a word');
  t.equal(files?.length, 2);
  t.equal(read.metainfo, 0);
  await stop();
});

void t.test('its pieces: those that are there, and how many peers have each while it downloads', async (t) => {
  const { clock, network, disk, engine, read, add, stop } = await start();
  disk.put('/save/album/extra/second.flac', 0, SECOND);
  const id = await add(albumFile);
  const pieces = async () => (await engine.inspectTorrent({ id, parts: ['pieces'] })).pieces;
  // first.flac has the first piece and, with its pad file, the second.
  const known = { pieceCount: 4, pieceLength: PIECE, have: Uint8Array.of(0b0011_0000) };
  await clock.advance(RESTS_AFTER_MS);
  read.opened = read.metainfo = 0;
  const resting = await pieces();
  t.same(resting, { ...known, availability: null });
  t.same(read, { opened: 0, metainfo: 0 });
  resting?.have.fill(0xff);
  for (const [peer, bits] of [0b1010_0000, 0b1100_0000].entries()) {
    const remote = new ScriptedPeer(network.connectFrom(`10.0.0.${7 + peer}`, { host: '10.0.0.1', port: 6881 }));
    remote.send(handshake({ infoHash: id, peerId: `0${1 + peer}`.repeat(20) }), frame(5, [], Uint8Array.of(bits)));
    await clock.settle();
  }
  t.same(await pieces(), { ...known, availability: Uint8Array.of(2, 1, 1, 0) }, 'and a copy was given away');
  await stop();
});

void t.test('a magnet has no files before its metadata, but trackers', async (t) => {
  const { engine, add, stop } = await start();
  const id = await add({ kind: 'magnet', uri: `magnet:?xt=urn:btih:${'ab'.repeat(20)}&tr=${TRACKER}` });
  t.match(await engine.inspectTorrent({ id, parts: ALL }), { files: [], peers: [], trackers: [{ url: TRACKER }] });
  t.same((await engine.inspectTorrent({ id, parts: ['files'] })).files, []);
  t.same((await engine.inspectTorrent({ id, parts: ['pieces'] })).pieces, NO_PIECES);
  await stop();
});

void t.test('what stands in the torrent file besides: for all of it, and for those alone who brought it', async (t) => {
  const { engine, add, stop } = await start();
  const around = { comment: 'line one\nline two\u202e', createdBy: 'maker/1', createdAt: 1_700_000_000 };
  const infoBytes = bencode.encode({
    name: 'film',
    'piece length': PIECE,
    length: 2 * PIECE,
    pieces: Buffer.alloc(40, 7),
    private: 1,
    source: 'GROUP',
    'meta version': 2,
    'file tree': {},
  });
  const seeds = { webSeeds: ['http://web.example/film'], httpSeeds: ['http://old.example/seed'] };
  const bytes = writeTorrentFile({ infoBytes, trackers: [[TRACKER]], ...seeds, ...around });
  const id = await add({ kind: 'metainfo', bytes });
  const parts = ['metainfo', 'webSeeds', 'pieceHashes'] as const;
  const metainfo = {
    comment: 'line one\nline two',
    createdBy: 'maker/1',
    createdAt: 1_700_000_000,
    source: 'GROUP',
    infoHashV2: createHash('sha256').update(infoBytes).digest('hex'),
    isPrivate: true,
    pieceLength: PIECE,
    pieceCount: 2,
  };
  const whole = await engine.inspectTorrent({ id, parts });
  t.same(whole.metainfo, metainfo);
  t.match(whole.webSeeds, [
    { url: 'http://web.example/film', form: 'files' },
    { url: 'http://old.example/seed', form: 'pieces' },
  ]);
  t.same(whole.pieceHashes, new Uint8Array(40).fill(7));
  const other = parseAccountId(9);
  const source = { kind: 'metainfo', bytes } as const;
  await engine.joinTorrent({ source, savePath: '/save', ownerId: other, paused: true });
  t.same(await engine.inspectTorrent({ id, parts, by: ADMIN_ACCOUNT_ID }), whole);
  const shown = await engine.inspectTorrent({ id, parts, by: other });
  t.same(shown.metainfo, { ...metainfo, comment: '', createdBy: '', createdAt: 0 });
  t.same(shown.webSeeds, []);
  const exported = async (by: AccountId) => Buffer.from(await engine.exportTorrent({ id, by })).toString('latin1');
  t.match(await exported(ADMIN_ACCOUNT_ID), /7:comment17:line one\nline two10:created by7:maker\/113:creation datei17/);
  t.notMatch(await exported(other), /comment|maker|creation date/);
  await engine.leaveTorrent({ id, by: ADMIN_ACCOUNT_ID });
  t.notMatch(await exported(other), /comment|maker|creation date/, 'nor when who brought it has left');
  t.match(await engine.inspectTorrent({ id, parts, by: other }), { metainfo: { comment: '', source: 'GROUP' } });
  await stop();
});

void t.test('of a magnet nothing of that is known', async (t) => {
  const { engine, add, stop } = await start();
  const id = await add({ kind: 'magnet', uri: `magnet:?xt=urn:btih:${'ab'.repeat(20)}` });
  const found = await engine.inspectTorrent({ id, parts: ['metainfo', 'webSeeds', 'pieceHashes', 'filePieces'] });
  t.match(found, { metainfo: { comment: '', source: '', infoHashV2: null, pieceCount: 0 }, webSeeds: [] });
  t.equal(found.pieceHashes?.length, 0);
  t.match(found.filePieces, { first: { length: 0 }, last: { length: 0 }, availability: null });
  await stop();
});

void t.test('the pieces of files, and how much of each file there is to be had while it downloads', async (t) => {
  const { network, disk, clock, engine, add, stop } = await start();
  disk.put('/save/album/extra/second.flac', 0, SECOND);
  const id = await add(albumFile);
  const remote = new ScriptedPeer(network.connectFrom('10.0.0.7', { host: '10.0.0.1', port: 6881 }));
  remote.send(handshake({ infoHash: id, peerId: '01'.repeat(20) }), frame(5, [], Uint8Array.of(0b1000_0000)));
  await clock.settle();
  const { filePieces } = await engine.inspectTorrent({ id, parts: ['filePieces'] });
  t.same(filePieces, {
    first: Uint32Array.of(0, 2),
    last: Uint32Array.of(1, 3),
    availability: Float64Array.of(0.5, 1),
  });
  const second = await engine.inspectTorrent({ id, parts: ['filePieces'], files: { from: 1, count: 5 } });
  t.same(second.filePieces, { first: Uint32Array.of(2), last: Uint32Array.of(3), availability: Float64Array.of(1) });
  await stop();
});

void t.test('many at once, in the order in which they were asked for; none of them is woken', async (t) => {
  const { clock, engine, read, add, stop } = await start();
  const album = await add(albumFile);
  const magnet = await add({ kind: 'magnet', uri: `magnet:?xt=urn:btih:${'ab'.repeat(20)}&tr=${TRACKER}` });
  const none = parseInfoHash('f'.repeat(40));
  await clock.advance(RESTS_AFTER_MS);
  read.opened = 0;
  const shares = [{ id: magnet }, { id: none }, { id: album, by: parseAccountId(9) }, { id: album }];
  const found = await engine.inspectTorrents({ shares, parts: ['trackers', 'files'] });
  t.match(found, [{ trackers: [{ url: TRACKER }], files: [] }, null, null, { trackers: [{ url: TRACKER }] }]);
  t.equal(found[3]?.files?.length, 2);
  t.same(found[3], await engine.inspectTorrent({ id: album, parts: ['trackers', 'files'] }));
  t.equal(read.opened, 0);
  await stop();
});

void t.test('no torrent, no details', async (t) => {
  const { engine, add, stop } = await start();
  const id = await add(albumFile);
  await engine.removeTorrent({ id, deleteData: false });
  await t.rejects(async () => engine.inspectTorrent({ id, parts: [] }), { code: 'TORRENT_NOT_FOUND' });
  await stop();
});
