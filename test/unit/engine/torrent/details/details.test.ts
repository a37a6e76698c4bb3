// What people look at of a torrent, through the engine's command: the parts that were asked for, as they are now, and a
// torrent that rests is left resting.
import t from 'tap';
import type { DetailPart } from '../../../../../shared-protocol/commands.js';
import { ADMIN_ACCOUNT_ID, parseAccountId, parseInfoHash } from '../../../../../shared-protocol/ids.js';
import { createMemoryTorrentStore } from '../../../../../storage/memory-torrent-store.js';
import { createEngine } from '../../../../../engine/core.js';
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
      lastAnnounce: STARTED_AT,
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
