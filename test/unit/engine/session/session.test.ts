import t from 'tap';
import type { EngineHandlers } from '../../../../shared-protocol/commands.js';
import type { EngineEvent, TorrentFacts } from '../../../../shared-protocol/events.js';
import { ADMIN_ACCOUNT_ID, type TorrentId } from '../../../../shared-protocol/ids.js';
import { emptyStats, StatsReader, TORRENT_FLAGS } from '../../../../shared-protocol/stats-table.js';
import { createMemoryTorrentStore } from '../../../../storage/memory-torrent-store.js';
import type { TorrentStore } from '../../../../storage/types.js';
import { createEngine } from '../../../../engine/core.js';
import { createSlab } from '../../../../engine/hashing/index.js';
import { Session } from '../../../../engine/session/session.js';
import { createAnnounceQueue } from '../../../../engine/tracker/index.js';
import { QUIET } from '../../../support/disk-fixtures.js';
import { TEST_ENGINE_OPTIONS } from '../../../support/engine-options.js';
import { makeTorrent, seededBytes } from '../../../support/make-torrent.js';
import { MemoryDisk } from '../../../support/memory-disk.js';
import { MemoryNetwork } from '../../../support/memory-network.js';
import { NO_WEB_SEEDS } from '../../../support/no-web-seeds.js';
import { ScriptedTrackerClient } from '../../../support/scripted-tracker-client.js';
import { SeededRandom } from '../../../support/seeded-random.js';
import { VirtualClock } from '../../../support/virtual-clock.js';

const SLAB_BYTES = 256 * 1024;
const PIECE = 32 * 1024;

/** A whole engine behind its commands; store and disk outlive it. */
class Bench {
  readonly clock = new VirtualClock();
  readonly facts = new Map<TorrentId, TorrentFacts>();
  readonly stats = new StatsReader();
  readonly tracker = new ScriptedTrackerClient();
  readonly network = new MemoryNetwork({ clock: this.clock });
  readonly engine: EngineHandlers;

  constructor(
    readonly store: TorrentStore = createMemoryTorrentStore(),
    readonly disk: MemoryDisk = new MemoryDisk(),
  ) {
    const { clock, tracker } = this;
    const random = new SeededRandom(1);
    this.engine = createEngine({
      emit: (event) => this.#hear(event),
      unixMs: () => clock.unixMs(),
      createSession: async (options, events) =>
        new Session(
          {
            clock,
            random,
            log: QUIET,
            network: this.network.host('10.0.0.1'),
            disk,
            store,
            slab: createSlab(SLAB_BYTES),
            hasher: disk.hasher,
            webSeeds: NO_WEB_SEEDS,
            createAnnounces: (identity) =>
              createAnnounceQueue({ clock, random, log: QUIET, identity, http: tracker, udp: tracker }),
          },
          options,
          events,
        ),
    });
  }

  start() {
    return this.engine.start({ ...TEST_ENGINE_OPTIONS, peerPort: 6881, maxPeersPerTorrent: 10, maxPeers: 10 });
  }

  add(bytes: Uint8Array) {
    const source = { kind: 'metainfo', bytes } as const;
    return this.engine.addTorrent({ source, savePath: '/save', ownerId: ADMIN_ACCOUNT_ID, paused: false });
  }

  statsOf(id: TorrentId) {
    const facts = this.facts.get(id);
    const stats = emptyStats();
    if (!facts || !this.stats.read(facts.row, facts.rowTag, stats)) throw new Error(`no row for ${id}`);
    return stats;
  }

  #hear(event: EngineEvent): void {
    if (event.name === 'stats.table') this.stats.attach(event.payload.buffer);
    if (event.name === 'torrents.added') for (const facts of event.payload.torrents) this.facts.set(facts.id, facts);
    if (event.name === 'torrent.changed') this.facts.set(event.payload.facts.id, event.payload.facts);
    if (event.name === 'torrent.removed') this.facts.delete(event.payload.id);
  }
}

const torrent = (seed: number) => {
  const files = seededBytes(seed, 3 * PIECE - 100);
  return makeTorrent({ name: `payload-${seed}`, pieceLength: PIECE, files });
};

void t.test('queue positions are dense and close up when a torrent goes', async (t) => {
  const bench = new Bench();
  await bench.start();
  const ids: TorrentId[] = [];
  for (const seed of [1, 2, 3, 4]) ids.push((await bench.add(torrent(seed).torrentBytes)).id);
  t.same(
    ids.map((id) => bench.statsOf(id).queuePosition),
    [0, 1, 2, 3],
  );
  await bench.engine.removeTorrent({ id: ids[1]!, deleteData: false });
  t.same(
    [ids[0]!, ids[2]!, ids[3]!].map((id) => bench.statsOf(id).queuePosition),
    [0, 1, 2],
  );
  await bench.engine.stop({ timeoutMs: 1 });
});

void t.test('the same torrent added twice at once is one torrent', async (t) => {
  const bench = new Bench();
  await bench.start();
  const { torrentBytes } = torrent(1);
  const answers = await Promise.all([bench.add(torrentBytes), bench.add(torrentBytes), bench.add(torrentBytes)]);
  t.same(answers.map(({ existed }) => existed).sort(), [false, true, true]);
  t.equal(bench.facts.size, 1);
  t.equal([...bench.store.rows()].length, 1);
  await bench.engine.stop({ timeoutMs: 1 });
});

void t.test(
  'data that is there is verified before the add is answered as anything else, and is known after a restart',
  async (t) => {
    const first = new Bench();
    await first.start();
    const { payload, torrentBytes } = torrent(7);
    first.disk.put('/save/payload-7', 0, payload);
    const { id } = await first.add(torrentBytes);
    t.ok(
      first.statsOf(id).flags & (TORRENT_FLAGS.verifying | TORRENT_FLAGS.completed),
      'never shown as simply missing',
    );
    await first.clock.advance(100);
    t.ok(first.statsOf(id).flags & TORRENT_FLAGS.completed);
    await first.engine.stop({ timeoutMs: 1 });

    const second = new Bench(first.store, first.disk);
    t.equal((await second.start()).torrents, 1);
    await second.clock.advance(100);
    const stats = second.statsOf(id);
    t.ok(stats.flags & TORRENT_FLAGS.completed);
    t.notOk(stats.flags & TORRENT_FLAGS.verifying, 'nothing changed, so nothing is hashed again');
    t.equal(stats.bytesDone, payload.length);
    await second.engine.stop({ timeoutMs: 1 });
  },
);

void t.test('files that vanish between two runs are missed, not created; back again they are trusted', async (t) => {
  const first = new Bench();
  await first.start();
  const { payload, torrentBytes } = torrent(8);
  first.disk.put('/save/payload-8', 0, payload);
  const { id } = await first.add(torrentBytes);
  await first.clock.advance(100);
  await first.engine.stop({ timeoutMs: 1 });

  first.disk.remove('/save/payload-8');
  const second = new Bench(first.store, first.disk);
  await second.start();
  await second.clock.advance(100);
  t.ok(second.statsOf(id).flags & TORRENT_FLAGS.filesMissing);
  t.equal(second.facts.get(id)?.error?.code, 'FILES_MISSING');
  t.equal(second.disk.content('/save/payload-8'), null);

  second.disk.put('/save/payload-8', 0, payload);
  await second.clock.advance(31_000);
  t.notOk(second.statsOf(id).flags & TORRENT_FLAGS.filesMissing);
  t.equal(second.facts.get(id)?.error, null);
  await second.engine.stop({ timeoutMs: 1 });
});

void t.test('what cannot be added leaves nothing', async (t) => {
  const bench = new Bench();
  await bench.start();
  await t.rejects(async () => bench.add(Buffer.from('d4:infod4:name1:aee')), { code: 'TORRENT_INVALID' });
  t.equal(bench.facts.size, 0);
  t.equal([...bench.store.rows()].length, 0);
  await bench.engine.stop({ timeoutMs: 1 });
});
