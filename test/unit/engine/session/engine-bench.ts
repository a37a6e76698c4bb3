// A whole engine behind its commands, on a network in memory; store and disk outlive it, so that it can be started again.
import type { EngineHandlers } from '../../../../shared-protocol/commands.js';
import type { EngineOptions } from '../../../../shared-protocol/commands/engine-options.js';
import type { EngineEvent, FilesLeft, TorrentFacts } from '../../../../shared-protocol/events.js';
import { ADMIN_ACCOUNT_ID, type TorrentId } from '../../../../shared-protocol/ids.js';
import {
  emptyStats,
  StatsReader,
  TORRENT_FLAGS,
  type TorrentFlag,
  type TorrentStats,
} from '../../../../shared-protocol/stats-table.js';
import { createMemoryTorrentStore } from '../../../support/memory-torrent-store.js';
import type { TorrentStore } from '../../../../storage/types.js';
import { createEngine } from '../../../../engine/core.js';
import { createSlab } from '../../../../engine/hashing/index.js';
import { Session } from '../../../../engine/session/session.js';
import { createAnnounceQueue } from '../../../../engine/tracker/index.js';
import { QUIET } from '../../../support/disk-fixtures.js';
import { TEST_ENGINE_OPTIONS } from '../../../support/engine-options.js';
import { makeTorrent, seededBytes, type MadeTorrent } from '../../../support/make-torrent.js';
import { MemoryDisk } from '../../../support/memory-disk.js';
import { MemoryNetwork } from '../../../support/memory-network.js';
import { NO_WEB_SEEDS } from '../../../support/no-web-seeds.js';
import { ScriptedTrackerClient } from '../../../support/scripted-tracker-client.js';
import { SeededRandom } from '../../../support/seeded-random.js';
import { VirtualClock } from '../../../support/virtual-clock.js';

const SLAB_BYTES = 256 * 1024;

export const PIECE = 32 * 1024;

export class Bench {
  readonly clock = new VirtualClock();
  readonly facts = new Map<TorrentId, TorrentFacts>();
  /** All that was told of. */
  readonly filesLeft: FilesLeft[] = [];
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

  start(options: Partial<EngineOptions> = {}) {
    const small = { peerPort: 6881, maxPeersPerTorrent: 10, maxPeers: 10 };
    return this.engine.start({ ...TEST_ENGINE_OPTIONS, ...small, ...options });
  }

  add(bytes: Uint8Array) {
    const source = { kind: 'metainfo', bytes } as const;
    return this.engine.addTorrent({ source, savePath: '/save', ownerId: ADMIN_ACCOUNT_ID, paused: false });
  }

  addMagnet(uri: string) {
    const source = { kind: 'magnet', uri } as const;
    return this.engine.addTorrent({ source, savePath: '/save', ownerId: ADMIN_ACCOUNT_ID, paused: false });
  }

  /** Its data is on disk already. */
  async addComplete(made: MadeTorrent, name: string) {
    this.disk.put(`/save/${name}`, 0, made.payload);
    const added = await this.add(made.torrentBytes);
    await this.clock.advance(100);
    return added;
  }

  hasFlag(id: TorrentId, flag: TorrentFlag): boolean {
    return (this.statsOf(id).flags & TORRENT_FLAGS[flag]) !== 0;
  }

  /** Trackers have time to hear of it. */
  async stop(): Promise<void> {
    const stopping = this.engine.stop({ timeoutMs: 1_000 });
    await this.clock.advance(2_000);
    await stopping;
  }

  statsOf(id: TorrentId): TorrentStats {
    const facts = this.facts.get(id);
    const stats = emptyStats();
    if (!facts || !this.stats.read(facts.row, facts.rowTag, stats)) throw new Error(`no row for ${id}`);
    return stats;
  }

  #hear(event: EngineEvent): void {
    if (event.name === 'stats.table') this.stats.attach(event.payload);
    if (event.name === 'torrents.added') for (const facts of event.payload.torrents) this.facts.set(facts.id, facts);
    if (event.name === 'torrent.changed') this.facts.set(event.payload.facts.id, event.payload.facts);
    if (event.name === 'torrent.removed') this.facts.delete(event.payload.id);
    if (event.name === 'files.left') this.filesLeft.push(event.payload);
  }
}

/** One file, `payload-<seed>`. */
export const torrent = (seed: number) => {
  const files = seededBytes(seed, 3 * PIECE - 100);
  return makeTorrent({ name: `payload-${seed}`, pieceLength: PIECE, files });
};
