// A swarm of whole engines in one process: virtual clock, network, disks and trackers in memory, every choice from one
// seed. After each step of time the invariants of every engine that something happened to are checked.
import type { EngineOptions } from '../../shared-protocol/commands/engine-options.js';
import { ADMIN_ACCOUNT_ID, type TorrentId } from '../../shared-protocol/ids.js';
import type { TorrentFacts } from '../../shared-protocol/events.js';
import { createMemoryTorrentStore } from './memory-torrent-store.js';
import { createSlab } from '../../engine/hashing/index.js';
import { parseTorrentFile, type Metainfo } from '../../engine/metainfo/index.js';
import type { Clock, Log, PeerAddress, PeerNetwork, PeerSocket, Random } from '../../engine/environment.js';
import { Session } from '../../engine/session/session.js';
import { createAnnounceQueue } from '../../engine/tracker/index.js';
import { QUIET } from './disk-fixtures.js';
import { TEST_ENGINE_OPTIONS } from './engine-options.js';
import { makeTorrent, seededBytes } from './make-torrent.js';
import { MemoryDisk } from './memory-disk.js';
import { MemoryNetwork } from './memory-network.js';
import { NO_WEB_SEEDS } from './no-web-seeds.js';
import { reply, ScriptedTrackerClient } from './scripted-tracker-client.js';
import { SeededRandom } from './seeded-random.js';
import { VirtualClock } from './virtual-clock.js';

export interface SwarmOptions {
  readonly pieceLength: number;
  readonly payloadBytes: number;
  /** The bytes themselves, where making them takes too long. @default of the seed */
  readonly payload?: Uint8Array;
  /** One way, in milliseconds. */
  readonly latencyMs: number;
  /** Peers that a tracker names in one reply. */
  readonly peersPerReply: number;
  /** Bytes on their way and unread, each direction of a connection. @default as the network has it */
  readonly windowBytes?: number;
}

export interface NodeOptions {
  /** What differs from {@link ENGINE_OPTIONS}. */
  readonly engine?: Partial<EngineOptions>;
  /** Over all its connections. @default no limit */
  readonly uploadBytesPerSec?: number;
  /** @default none */
  readonly log?: Log;
}

const SAVE_PATH = '/downloads';
export const PEER_PORT = 6881;
const SLAB_BYTES = 512 * 1024;
const STEP_MS = 10;

export class SimulatedSwarm {
  readonly clock = new VirtualClock();
  readonly random: SeededRandom;
  readonly metainfo: Metainfo;
  readonly payload: Uint8Array;
  readonly nodes: SimulatedNode[] = [];
  readonly network: MemoryNetwork;
  readonly #touched = new Set<SimulatedNode>();
  /** What the one tracker knows: who announced and did not stop. */
  readonly #announced = new Set<SimulatedNode>();

  constructor(
    seed: number,
    readonly options: SwarmOptions,
  ) {
    this.random = new SeededRandom(seed);
    const { latencyMs, windowBytes } = options;
    this.network = new MemoryNetwork({ clock: this.clock, latencyMs, ...(windowBytes && { windowBytes }) });
    this.payload = options.payload ?? seededBytes(seed, options.payloadBytes);
    const { torrentBytes } = makeTorrent({
      name: 'payload',
      pieceLength: options.pieceLength,
      files: this.payload,
      trackers: [['http://tracker.example/announce']],
    });
    this.metainfo = parseTorrentFile(torrentBytes);
  }

  /** A node that has everything, or nothing. */
  async join(kind: 'seed' | 'leech', options: NodeOptions = {}): Promise<SimulatedNode> {
    const host = `10.0.${this.nodes.length >> 8}.${this.nodes.length & 0xff}`;
    const node = new SimulatedNode(this, host, options, () => this.#touched.add(node));
    this.nodes.push(node);
    if (options.uploadBytesPerSec) this.network.limitUpload(host, options.uploadBytesPerSec);
    if (kind === 'seed') node.disk.put(`${SAVE_PATH}/payload`, 0, this.payload);
    await node.start();
    return node;
  }

  /** Runs virtual time, checking invariants after each step, until `done` or the time is up. */
  async run(maxMs: number, done: () => boolean, stepMs = STEP_MS): Promise<boolean> {
    for (let passed = 0; passed < maxMs; passed += stepMs) {
      await this.clock.advance(stepMs);
      for (const node of this.#touched) node.session.checkInvariant();
      this.#touched.clear();
      if (done()) return true;
    }
    return done();
  }

  async stop(): Promise<void> {
    const stops = this.nodes.map((node) => node.session.stop(1_000));
    await this.clock.advance(2_000);
    await Promise.all(stops);
  }

  /** The tracker's answer to one node. */
  announce(from: SimulatedNode, event: string): PeerAddress[] {
    if (event === 'stopped') this.#announced.delete(from);
    else this.#announced.add(from);
    const others = [...this.#announced].filter((node) => node !== from);
    const picked: PeerAddress[] = [];
    while (picked.length < this.options.peersPerReply && others.length > 0) {
      const [node] = others.splice(this.random.below(others.length), 1);
      if (node) picked.push({ host: node.host, port: PEER_PORT });
    }
    return picked;
  }
}

export class SimulatedNode {
  readonly disk: MemoryDisk;
  readonly session: Session;
  readonly id: TorrentId;
  facts: TorrentFacts | null = null;
  readonly #swarm: SimulatedSwarm;

  constructor(
    swarm: SimulatedSwarm,
    readonly host: string,
    { engine = {}, log = QUIET }: NodeOptions,
    touch: () => void,
  ) {
    this.#swarm = swarm;
    this.id = swarm.metainfo.info.infoHash;
    const clock = touchingClock(swarm.clock, touch);
    const random: Random = new SeededRandom(swarm.random.below(2 ** 31));
    this.disk = new MemoryDisk({ unixMs: () => clock.unixMs() });
    const tracker = new ScriptedTrackerClient(({ event }) =>
      reply({ peers: swarm.announce(this, event), intervalSec: 60 }),
    );
    this.session = new Session(
      {
        clock,
        random,
        log,
        network: touchingNetwork(swarm.network.host(host), touch),
        disk: this.disk,
        store: createMemoryTorrentStore(),
        slab: createSlab(engine.slabBytes ?? SLAB_BYTES),
        hasher: this.disk.hasher,
        webSeeds: NO_WEB_SEEDS,
        createAnnounces: (identity) =>
          createAnnounceQueue({ clock, random, log: QUIET, identity, http: tracker, udp: tracker }),
      },
      { ...ENGINE_OPTIONS, ...engine },
      {
        onAdded: ([facts]) => (this.facts = facts ?? null),
        onChanged: (facts) => (this.facts = facts),
        onRemoved: () => (this.facts = null),
        onFilesLeft: () => undefined,
        onStatsTable: () => undefined,
      },
    );
  }

  get isComplete(): boolean {
    return (this.facts?.completedAt ?? null) !== null;
  }

  /** Payload that has reached it so far, also what was not needed any more. */
  get receivedBytes(): number {
    return this.session.torrents.find(this.id).figures().downloaded;
  }

  /** Payload that it has sent so far. */
  get sentBytes(): number {
    return this.session.torrents.find(this.id).figures().uploaded;
  }

  /** BEP 16. */
  setSuperSeeding(superSeeding: boolean): Promise<void> {
    return this.session.torrents.find(this.id).edits.setSuperSeeding(superSeeding);
  }

  /** The bytes on this node's disk are the torrent's. */
  get hasPayload(): boolean {
    const content = this.disk.content(`${SAVE_PATH}/payload`);
    return content !== null && Buffer.compare(content, this.#swarm.payload) === 0;
  }

  async start(): Promise<void> {
    const { info, infoBytes, trackers, webSeeds } = this.#swarm.metainfo;
    const { totalBytes, pieceLength, pieceCount, isPrivate } = info;
    await this.session.start();
    await this.session.adding.add(
      {
        id: this.id,
        ownerId: ADMIN_ACCOUNT_ID,
        savePath: SAVE_PATH,
        addedAt: 0,
        completedAt: null,
        paused: false,
        sequential: false,
        name: info.name,
        trackers,
        webSeeds,
        filePriorities: null,
        summary: { totalBytes, pieceLength, pieceCount, isPrivate },
        selectOnly: null,
      },
      { info, infoBytes },
    );
  }

  setPaused(paused: boolean): Promise<void> {
    return this.session.torrents.find(this.id).setPaused(paused);
  }
}

const ENGINE_OPTIONS: EngineOptions = {
  ...TEST_ENGINE_OPTIONS,
  peerPort: PEER_PORT,
  maxPeersPerTorrent: 12,
  maxPeers: 100,
};

/** Whatever a timer runs may have changed the node. */
function touchingClock(clock: Clock, touch: () => void): Clock {
  return {
    nowMs: () => clock.nowMs(),
    unixMs: () => clock.unixMs(),
    after: (delayMs, callback) =>
      clock.after(delayMs, () => {
        touch();
        callback();
      }),
  };
}

/** Whatever arrives may have changed the node. */
function touchingNetwork(network: PeerNetwork, touch: () => void): PeerNetwork {
  const touching = (socket: PeerSocket): PeerSocket => {
    const setHandler = socket.setHandler.bind(socket);
    socket.setHandler = (handler) =>
      setHandler({
        onConnect: () => handler.onConnect(),
        onData: (bytes) => {
          touch();
          handler.onData(bytes);
        },
        onDrain: () => handler.onDrain(),
        onClose: (reason) => {
          touch();
          handler.onClose(reason);
        },
      });
    return socket;
  };
  return {
    listen: (host, port, onSocket) => network.listen(host, port, (socket) => onSocket(touching(socket))),
    connect: (address) => touching(network.connect(address)),
  };
}
