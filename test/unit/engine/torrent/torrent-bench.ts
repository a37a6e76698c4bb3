// One engine with one torrent on a network in memory, and peers of which the test decides every byte.
import { emptyStats, StatsReader, TORRENT_FLAGS } from '../../../../shared-protocol/stats-table.js';
import type { EngineOptions } from '../../../../shared-protocol/commands/engine-options.js';
import type { PeerDetail } from '../../../../shared-protocol/commands/details.js';
import type { TorrentFacts } from '../../../../shared-protocol/events.js';
import { ADMIN_ACCOUNT_ID } from '../../../../shared-protocol/ids.js';
import { createMemoryTorrentStore } from '../../../support/memory-torrent-store.js';
import type { TorrentRow, TorrentStore } from '../../../../storage/types.js';
import { createSlab } from '../../../../engine/hashing/index.js';
import { parseInfoDictionary } from '../../../../engine/metainfo/index.js';
import type { Log, PeerAddress, PeerNetwork, PeerSocket } from '../../../../engine/environment.js';
import { Session } from '../../../../engine/session/session.js';
import type { Torrent } from '../../../../engine/torrent/torrent.js';
import type { WebSeedHttp } from '../../../../engine/webseed/index.js';
import { createAnnounceQueue } from '../../../../engine/tracker/index.js';
import { QUIET } from '../../../support/disk-fixtures.js';
import { TEST_ENGINE_OPTIONS } from '../../../support/engine-options.js';
import { handshake, type HandshakeFields } from '../../../support/frames.js';
import { makeTorrent, seededBytes, type MadeTorrent, type MakeTorrentFile } from '../../../support/make-torrent.js';
import { MemoryDisk } from '../../../support/memory-disk.js';
import { MemoryNetwork } from '../../../support/memory-network.js';
import { NO_WEB_SEEDS } from '../../../support/no-web-seeds.js';
import { ScriptedPeer } from '../../../support/scripted-peer.js';
import { ScriptedTrackerClient } from '../../../support/scripted-tracker-client.js';
import { SeededRandom } from '../../../support/seeded-random.js';
import { VirtualClock } from '../../../support/virtual-clock.js';

export const PIECE_BYTES = 32 * 1024;
export const BLOCK_BYTES = 16 * 1024;
export const ENGINE_HOST = '10.0.0.1';
export const ENGINE_PORT = 6881;
const SLAB_BYTES = 512 * 1024;

export interface BenchOptions {
  readonly engine?: Partial<EngineOptions>;
  readonly clock?: VirtualClock;
  /** What is on disk when the torrent is added. @default 'none' */
  readonly has?: 'all' | 'none';
  /** @default 8 */
  readonly pieces?: number;
  /** More than one file. @default one of that many pieces */
  readonly files?: readonly MakeTorrentFile[];
  readonly padFiles?: boolean;
  /** @default PIECE_BYTES */
  readonly pieceLength?: number;
  /** Outlives the bench. @default its own, empty */
  readonly store?: TorrentStore;
  readonly disk?: MemoryDisk;
  readonly private?: boolean;
  /** Added as a magnet: peers have the info dictionary. */
  readonly magnet?: boolean;
  /** Whatever is on disk is to be trusted. */
  readonly skipCheck?: boolean;
  readonly stopAfter?: 'metadata' | 'check';
  readonly priorities?: TorrentRow['filePriorities'];
  readonly webSeeds?: readonly string[];
  /** What web seeds answer. @default nothing useful */
  readonly webSeedHttp?: WebSeedHttp;
  /** @default nobody hears it */
  readonly log?: Log;
}

export class TorrentBench {
  readonly clock: VirtualClock;
  readonly disk: MemoryDisk;
  readonly store: TorrentStore;
  readonly tracker = new ScriptedTrackerClient();
  /** As people were told last. */
  facts: TorrentFacts | null = null;
  readonly network: MemoryNetwork;
  readonly made: MadeTorrent;
  readonly session: Session;
  /** Every address the engine connected to, with the time. */
  readonly dials: { readonly to: PeerAddress; readonly atMs: number }[] = [];
  readonly #stats = new StatsReader();
  #peers = 0;

  constructor(options: BenchOptions = {}) {
    this.clock = options.clock ?? new VirtualClock();
    this.network = new MemoryNetwork({ clock: this.clock });
    this.disk = options.disk ?? new MemoryDisk();
    this.store = options.store ?? createMemoryTorrentStore();
    const { clock, disk, network, dials, tracker } = this;
    const { has = 'none', pieces = 8, engine = {} } = options;
    const random = new SeededRandom(7);
    this.made = makeTorrent({
      name: 'payload',
      pieceLength: options.pieceLength ?? PIECE_BYTES,
      files: options.files ?? seededBytes(7, pieces * PIECE_BYTES),
      padFiles: options.padFiles ?? false,
      private: options.private ?? false,
      webSeeds: options.webSeeds ?? [],
    });
    if (has === 'all') disk.put('/save/payload', 0, this.made.payload);
    const host = network.host(ENGINE_HOST);
    const watched: PeerNetwork = {
      listen: (address, port, onSocket) => host.listen(address, port, onSocket),
      connect: (to) => {
        dials.push({ to, atMs: clock.nowMs() });
        return host.connect(to);
      },
    };
    this.session = new Session(
      {
        clock,
        random,
        log: options.log ?? QUIET,
        network: watched,
        disk,
        store: this.store,
        slab: createSlab(SLAB_BYTES),
        hasher: disk.hasher,
        webSeeds: options.webSeedHttp ?? NO_WEB_SEEDS,
        createAnnounces: (identity) =>
          createAnnounceQueue({ clock, random, log: QUIET, identity, http: tracker, udp: tracker }),
      },
      { ...TEST_ENGINE_OPTIONS, peerHosts: ['127.0.0.1'], peerPort: ENGINE_PORT, ...engine },
      {
        onAdded: ([facts]) => (this.facts = facts ?? null),
        onChanged: (facts) => (this.facts = facts),
        onRemoved: () => undefined,
        onFilesLeft: () => undefined,
        onStatsTable: (table) => this.#stats.attach(table),
      },
    );
  }

  static async start(options: BenchOptions = {}): Promise<TorrentBench> {
    const bench = new TorrentBench(options);
    await bench.session.start();
    if (bench.session.torrents.size > 0) {
      await bench.clock.advance(100);
      return bench;
    }
    const { infoBytes } = bench.made;
    const info = parseInfoDictionary(infoBytes, 'windows');
    const { infoHash: id, totalBytes, pieceLength, pieceCount, isPrivate } = info;
    const isMagnet = options.magnet === true;
    await bench.session.adding.add(
      {
        id,
        ownerId: ADMIN_ACCOUNT_ID,
        savePath: '/save',
        addedAt: 0,
        completedAt: null,
        paused: false,
        sequential: false,
        name: info.name,
        trackers: [['http://tracker.example/announce']],
        webSeeds: options.webSeeds ?? [],
        filePriorities: options.priorities ?? null,
        ...(options.skipCheck && { skipCheck: true as const }),
        ...(options.stopAfter && { stopAfter: options.stopAfter }),
        summary: isMagnet ? null : { totalBytes, pieceLength, pieceCount, isPrivate },
        selectOnly: null,
      },
      isMagnet ? null : { info, infoBytes },
    );
    // A check of what is there may have to come first.
    await bench.clock.advance(100);
    return bench;
  }

  /** As people see them. */
  get peers(): readonly PeerDetail[] {
    return this.torrent.details(['peers']).peers ?? [];
  }

  get torrent(): Torrent {
    return this.session.torrents.find(this.made.infoHash);
  }

  get isComplete(): boolean {
    return (this.stats.flags & TORRENT_FLAGS.completed) !== 0;
  }

  get stats() {
    const { row, rowTag } = this.torrent.facts();
    const stats = emptyStats();
    if (!this.#stats.read(row, rowTag, stats)) throw new Error('no row');
    return stats;
  }

  /** A peer id of its own for each peer. */
  nextPeerId(): string {
    return (++this.#peers).toString(16).padStart(2, '0').repeat(20);
  }

  handshake(fields: Partial<HandshakeFields> = {}): Buffer {
    return handshake({ infoHash: this.made.infoHash, peerId: this.nextPeerId(), ...fields });
  }

  /** A peer that comes to us and has shaken hands. */
  async meet(host: string, fields: Partial<HandshakeFields> = {}): Promise<ScriptedPeer> {
    const peer = this.dialIn(host);
    peer.send(this.handshake(fields));
    await this.clock.settle();
    return peer;
  }

  dialIn(host: string): ScriptedPeer {
    return new ScriptedPeer(this.network.connectFrom(host, { host: ENGINE_HOST, port: ENGINE_PORT }));
  }

  /** Peers that listen there, as the engine connects to them. */
  async listenAt(address: PeerAddress): Promise<ScriptedPeer[]> {
    const peers: ScriptedPeer[] = [];
    await this.network
      .host(address.host)
      .listen(address.host, address.port, (socket: PeerSocket) => void peers.push(new ScriptedPeer(socket)));
    return peers;
  }

  /** The bytes of one block. */
  blockAt(piece: number, begin: number): Uint8Array {
    const at = piece * PIECE_BYTES + begin;
    return this.made.payload.subarray(at, at + BLOCK_BYTES);
  }

  async stop(): Promise<void> {
    const stopping = this.session.stop(1_000);
    await this.clock.advance(2_000);
    await stopping;
  }
}

/** The pieces that frames with this id name first. */
export function piecesIn(peer: ScriptedPeer, id: number): number[] {
  return peer.frames.filter((frame) => frame.id === id).map(({ payload }) => payload.readUInt32BE(0));
}

/** The `m` of the extended handshake that the engine sent. */
export function extensionsIn(peer: ScriptedPeer): Record<string, number> {
  const { m } = peer.extendedHandshake as { m?: Record<string, number> };
  return m ?? {};
}
