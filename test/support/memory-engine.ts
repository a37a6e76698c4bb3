// An engine without peers and disks that keeps its promises in memory: adds, pauses and removes really change what it
// has, it emits the events and writes the stats table. What it has outlives its transport, as a store does a process.
import { createHash } from 'node:crypto';
import { isDeepStrictEqual } from 'node:util';
import bencode, { type BencodeInput } from 'bencode';
import type { AddressRanges } from '../../shared-protocol/address-ranges.js';
import type {
  AccountLimit,
  QueueLimits,
  QueueTarget,
  RateLimits,
  TorrentPeerLimits,
} from '../../shared-protocol/commands/limits.js';
import type { Adopter, TorrentOverlap } from '../../shared-protocol/commands/shares.js';
import type { AddTorrentParams } from '../../shared-protocol/commands/adding.js';
import type { CommandParams, EngineHandlers } from '../../shared-protocol/commands.js';
import type { CreateParams } from '../../shared-protocol/commands/creations.js';
import type { EngineHealth, EngineOptions } from '../../shared-protocol/commands/engine-options.js';
import type { FilePriority } from '../../shared-protocol/commands/details.js';
import type { MoveStatus, RenameParams } from '../../shared-protocol/commands/moves.js';
import type { TorrentDetails } from '../../shared-protocol/commands/inspection.js';
import { movedOrder } from '../../engine/session/queue-moves.js';
import { metainfoDetail } from '../../engine/torrent/details/metainfo-detail.js';
import { AppError } from '../../shared-protocol/errors.js';
import type { EngineEvent, HolderFacts, TorrentFacts } from '../../shared-protocol/events.js';
import { infoHashFromBytes, parseInfoHash, type AccountId, type TorrentId } from '../../shared-protocol/ids.js';
import { magnetLink } from '../../shared-protocol/magnet-text.js';
import { NEW_LIBRARY_RECORD } from '../../shared-protocol/library-record.js';
import { makeTorrent } from './make-torrent.js';
import { DIRECT, type NetworkOptions, type NetworkStatus } from '../../shared-protocol/network/network-options.js';
import { emptyStats, StatsWriter, TORRENT_FLAGS, type TorrentStats } from '../../shared-protocol/stats-table.js';
import { folderHandlers } from '../../storage/folder-handlers.js';
import { localFolders } from '../../storage/local-folders.js';

interface Held {
  facts: TorrentFacts;
  stats: TorrentStats;
  peers: Set<string>;
  limits: RateLimits;
  peerLimits: TorrentPeerLimits;
  details: Required<Omit<TorrentDetails, 'filesGiven'>>;
  /** Infinity while the metadata is unknown. */
  readonly fileCount: number;
  priorities: Record<number, FilePriority>;
  trackers: string[];
  /** The torrent file that it was added by. */
  readonly metainfo: Uint8Array | null;
  move: MoveStatus;
}

interface Parsed extends Pick<TorrentFacts, 'id' | 'name' | 'trackers' | 'totalBytes' | 'isPrivate' | 'hasMetadata'> {
  readonly fileCount: number;
}

const NO_MOVE: MoveStatus = { state: 'none', path: null, bytesDone: 0, bytesTotal: 0, error: null };
const OPEN_NETWORK: NetworkStatus = { binding: { kind: 'open' }, proxyAddress: null, peerPort: 51_413 };
const NO_PIECES = { pieceCount: 0, pieceLength: 0, have: new Uint8Array(), availability: null };
const NO_DETAILS: Required<Omit<TorrentDetails, 'filesGiven'>> = {
  files: [],
  filePieces: { first: new Uint32Array(), last: new Uint32Array(), availability: null },
  peers: [],
  trackers: [],
  pieces: NO_PIECES,
  pieceHashes: new Uint8Array(),
  metainfo: {
    comment: '',
    createdBy: '',
    createdAt: 0,
    source: '',
    infoHashV2: null,
    isPrivate: false,
    pieceLength: 0,
    pieceCount: 0,
  },
  waste: { failedPieces: 0, failedBytes: 0, redundantBytes: 0 },
  webSeeds: [],
};

/** What every creation comes to. */
const CREATED = makeTorrent({ name: 'made', pieceLength: 16_384, files: Buffer.from('abc') });

export interface FileInMemory {
  /** Below the save path. */
  readonly path: string;
  readonly bytes: Uint8Array;
  /** Thrown at each read. */
  readonly refusal?: AppError | undefined;
  /** Not all of it is there. */
  readonly isPartial?: true;
}

export interface MemoryEngineOptions {
  /** Ports that somebody else listens on. */
  readonly takenPorts?: readonly number[];
}

export class MemoryEngine {
  readonly #torrents = new Map<TorrentId, Held>();
  #writer: StatsWriter | null = null;
  #lastReader = 0;
  #emit: (event: EngineEvent) => void = () => undefined;
  /** What it was started with last. */
  started: EngineOptions | null = null;
  /** Over all torrents, of the present run. */
  rateLimits: RateLimits | null = null;
  queueLimits: QueueLimits | null = null;
  maxPeersPerTorrent: number | null = null;
  blocklist: readonly AddressRanges[] = [];
  adopters: readonly Adopter[] = [];
  overlaps: readonly TorrentOverlap[] = [];
  insiders: readonly AccountId[] = [];
  network: NetworkOptions = DIRECT;
  /** Whether peers reach it. */
  reach: Pick<EngineHealth, 'listeningPort' | 'hasIncoming'> = { listeningPort: null, hasIncoming: false };
  /** Layouts that adds asked for, in order. */
  readonly layouts: AddTorrentParams['layout'][] = [];
  readonly renames: ({ readonly id: TorrentId } & RenameParams)[] = [];
  accountLimits: readonly AccountLimit[] = [];
  /** Hosts of trackers, by torrent. */
  readonly workingTrackers = new Map<TorrentId, readonly string[]>();
  /** As it tells of its health. */
  dhtNodes = 0;
  /** Thrown by the next add. */
  refuseNextAdd: AppError | null = null;
  /** Thrown by the next rename. */
  refuseNextRename: AppError | null = null;
  /** A start waits for it, as for a large store. */
  startHeldBy: Promise<void> | null = null;
  /** An inspection waits for it, as for a busy engine. */
  inspectHeldBy: Promise<void> | null = null;
  /** A pause waits for it, as for a busy engine. */
  pauseHeldBy: Promise<void> | null = null;
  pausesAsked = 0;
  /** What was added, as it was asked for; and what was joined. */
  readonly added: AddTorrentParams[] = [];
  readonly joined: AddTorrentParams[] = [];
  /** Every one that was asked for. */
  readonly inspections: CommandParams<'inspectTorrent'>[] = [];
  readonly deletedData = new Set<TorrentId>();
  /** By torrent, then by index: what is in files, as far as it is there. */
  readonly #files = new Map<TorrentId, Map<number, FileInMemory>>();
  readonly #readers = new Map<number, FileInMemory>();
  /** Each read waits for it, as for peers that are slow. */
  readsHeldBy: Promise<void> | null = null;
  /** Of all files together. */
  bytesRead = 0;
  /** A creation is done once it resolves, or at once. */
  creationsHeldBy: Promise<void> | null = null;
  refuseNextCreation: AppError | null = null;
  readonly creationsAsked: CreateParams[] = [];
  readonly #creations = new Map<number, CreateParams>();

  constructor(private readonly options: MemoryEngineOptions = {}) {}

  get ids(): TorrentId[] {
    return [...this.#torrents.keys()];
  }

  peersOf(id: TorrentId): string[] {
    return [...this.#held(id).peers];
  }

  limitsOf(id: TorrentId): RateLimits {
    return this.#held(id).limits;
  }

  flagsOf(id: TorrentId): number {
    return this.#held(id).stats.flags;
  }

  /** By file index, of those that were ever set. */
  prioritiesOf(id: TorrentId): Readonly<Record<number, FilePriority>> {
    return this.#held(id).priorities;
  }

  trackersOf(id: TorrentId): readonly string[] {
    return this.#held(id).trackers;
  }

  /** Changes numbers as transfers would. */
  setStats(id: TorrentId, change: Partial<TorrentStats>): void {
    const held = this.#held(id);
    Object.assign(held.stats, change);
    this.#writer?.write(held.facts.row, held.stats);
  }

  /** A file that can be read. */
  setFile(id: TorrentId, index: number, file: FileInMemory): void {
    this.#files.set(id, (this.#files.get(id) ?? new Map<number, FileInMemory>()).set(index, file));
  }

  /** Creations that have not been forgotten. */
  get creations(): number {
    return this.#creations.size;
  }

  #creation(number: number): CreateParams {
    const creation = this.#creations.get(number);
    if (!creation) throw new AppError('CREATION_NOT_FOUND', 'creation not found');
    return creation;
  }

  /** Files that somebody has opened and not closed. */
  get openFiles(): number {
    return this.#readers.size;
  }

  /** What inspections show; nothing of anything at first. */
  setDetails(id: TorrentId, change: TorrentDetails): void {
    Object.assign(this.#held(id).details, change);
  }

  /** Has what another one has of a torrent. */
  adopt(other: MemoryEngine, id: TorrentId): void {
    this.#torrents.set(id, { ...other.#held(id) });
  }

  /** Loses a torrent without a word, as a store that was put back does. */
  forget(id: TorrentId): void {
    this.#torrents.delete(id);
  }

  setMove(id: TorrentId, move: MoveStatus): void {
    this.#held(id).move = move;
  }

  setFacts(id: TorrentId, change: Partial<TorrentFacts>): void {
    const held = this.#held(id);
    held.facts = { ...held.facts, ...change };
    this.#emit({ name: 'torrent.changed', payload: { facts: held.facts } });
  }

  /** For createInProcessTransport. */
  readonly handlers = (emit: (event: EngineEvent) => void): EngineHandlers => {
    this.#emit = emit;
    return {
      ...folderHandlers(localFolders),
      tellTorrents: () => {
        emit({ name: 'torrents.added', payload: { torrents: [...this.#torrents.values()].map(({ facts }) => facts) } });
        return { peerPort: this.started?.peerPort || 50_000, torrents: this.#torrents.size };
      },
      start: async (options) => {
        await this.startHeldBy;
        if (this.options.takenPorts?.includes(options.peerPort)) {
          throw new AppError('LISTEN_FAILED', `peers: port ${options.peerPort} is taken`);
        }
        this.started = options;
        this.rateLimits = options.rateLimits;
        this.queueLimits = options.queueLimits;
        this.maxPeersPerTorrent = options.maxPeersPerTorrent;
        this.blocklist = options.blocklist;
        this.adopters = options.adopters ?? [];
        this.insiders = options.insiders;
        this.network = options.network ?? DIRECT;
        this.accountLimits = options.accountLimits ?? [];
        const writer = new StatsWriter((table) => emit({ name: 'stats.table', payload: table }));
        this.#writer = writer;
        for (const held of this.#torrents.values()) {
          const { row, tag } = writer.allocate();
          held.facts = { ...held.facts, row, rowTag: tag };
          writer.write(row, held.stats);
        }
        emit({ name: 'torrents.added', payload: { torrents: [...this.#torrents.values()].map(({ facts }) => facts) } });
        return { peerPort: options.peerPort || 50_000, torrents: this.#torrents.size };
      },
      readMetainfo: ({ bytes, maxFiles, names = 'posix' }) => {
        // Refused as an add refuses it.
        parseMetainfo(bytes);
        return metainfoDetail(bytes, maxFiles, names);
      },
      addTorrent: (params) => this.#add(params),
      joinTorrent: (params) => {
        const { source, savePath, ownerId, library = NEW_LIBRARY_RECORD, paused, sequential = false } = params;
        this.joined.push(params);
        const { id, name, trackers } = source.kind === 'magnet' ? parseMagnet(source.uri) : parseMetainfo(source.bytes);
        const { facts } = this.#held(id);
        const addedAt = 1_700_000_000 + this.#torrents.size;
        const holder = {
          accountId: ownerId,
          savePath,
          name,
          trackers,
          addedAt,
          paused,
          sequential,
          forceStart: false,
          library,
        };
        this.#setHolders(id, [...this.#holdersOf(facts), holder]);
      },
      leaveTorrent: ({ id, by }) => void this.#leave(id, by),
      pauseTorrent: async ({ id, by }) => {
        this.pausesAsked++;
        await this.pauseHeldBy;
        this.#setPaused(id, by, true);
      },
      resumeTorrent: ({ id, by }) => this.#setPaused(id, by, false),
      recheckTorrent: ({ id }) => this.#setFlag(id, TORRENT_FLAGS.verifying, true),
      moveTorrent: ({ id, path }) => this.setFacts(id, { savePath: path }),
      cancelMove: ({ id }) => void (this.#held(id).move = NO_MOVE),
      renamePath: ({ id, from, to, accountId }) => {
        this.#held(id);
        if (this.refuseNextRename) {
          const refusal = this.refuseNextRename;
          this.refuseNextRename = null;
          throw refusal;
        }
        this.renames.push({ id, from, to, accountId });
        return { state: 'none' as const };
      },
      moveStatus: ({ id }) => this.#held(id).move,
      removeTorrent: ({ id, by, deleteData }) => {
        if (by !== undefined && this.#leave(id, by)) return;
        const { facts, stats } = this.#held(id);
        this.#running().release(facts.row);
        this.#torrents.delete(id);
        if (deleteData) this.deletedData.add(id);
        emit({ name: 'torrent.removed', payload: { id, moved: { down: stats.totalDown, up: stats.totalUp } } });
      },
      addPeers: ({ id, peers }) => {
        const held = this.#held(id);
        const bad = peers.find((peer) => !/^\S+:\d{1,5}$/.test(peer));
        if (bad !== undefined) throw new AppError('PEER_ADDRESS_INVALID', `peers: expected host:port, not ${bad}`);
        const before = held.peers.size;
        for (const peer of peers) held.peers.add(peer);
        return { added: held.peers.size - before };
      },
      setAdopters: ({ adopters }) => void (this.adopters = adopters),
      torrentOverlaps: () => this.overlaps,
      setPeerLimits: ({ maxPeersPerTorrent }) => void (this.maxPeersPerTorrent = maxPeersPerTorrent),
      setQueueLimits: (limits) => void (this.queueLimits = limits),
      setAccountLimits: ({ limits }) => void (this.accountLimits = limits),
      setInsiders: ({ accountIds }) => void (this.insiders = accountIds),
      setNetwork: (options) => {
        this.network = options;
        return OPEN_NETWORK;
      },
      networkStatus: () => OPEN_NETWORK,
      setBlocklist: ({ lists }) => void (this.blocklist = lists),
      setFilePriorities: ({ id, priorities }) => {
        const held = this.#held(id);
        const beyond = Object.keys(priorities).find((index) => Number(index) >= held.fileCount);
        if (beyond !== undefined) throw new AppError('FILE_INDEX_INVALID', `priorities: there is no file ${beyond}`);
        Object.assign(held.priorities, priorities);
      },
      setSequential: ({ id, sequential }) => this.#setFlag(id, TORRENT_FLAGS.sequential, sequential),
      setSuperSeeding: ({ id, by, superSeeding }) => {
        const change = superSeeding ? { superSeeding: true as const } : {};
        const without = <Facts extends { superSeeding?: true }>({ superSeeding: _before, ...rest }: Facts) => rest;
        const held = this.#held(id);
        const { holders } = held.facts;
        if (!holders) {
          held.facts = { ...without(held.facts), ...change };
          return this.setFacts(id, {});
        }
        const edit = (holder: HolderFacts): HolderFacts =>
          by === undefined || holder.accountId === by ? { ...without(holder), ...change } : holder;
        this.#setHolders(id, holders.map(edit));
      },
      setFirstLastFirst: ({ id, firstLastFirst }) => this.#setFlag(id, TORRENT_FLAGS.firstLastFirst, firstLastFirst),
      setForceStart: ({ id, forceStart }) => this.#setFlag(id, TORRENT_FLAGS.forceStart, forceStart),
      setQueuePosition: ({ id, position }) => this.#move(id, position),
      moveInQueue: ({ shares, to }) => this.#moveTogether(new Set(shares.map((share) => share.id)), to),
      addTracker: ({ id, url }) => {
        if (!/^(https?|udp):\/\//.test(url)) throw new AppError('TRACKER_INVALID', 'url: no tracker URL');
        this.#mergeTrackers(id, [url]);
      },
      removeTracker: ({ id, url }) => {
        const held = this.#held(id);
        held.trackers = held.trackers.filter((other) => other !== url);
      },
      setTrackers: ({ id, tiers }) => {
        const bad = tiers.flat().find((url) => !/^(https?|udp):\/\//.test(url));
        if (bad !== undefined) throw new AppError('TRACKER_INVALID', 'tiers[0][0]: not a URL');
        this.#held(id).trackers = tiers.flat();
      },
      replaceTrackers: ({ shares, find, replace, isDryRun }) => {
        if (!/^(https?|udp):\/\//.test(replace)) throw new AppError('TRACKER_INVALID', 'replace: not a URL');
        const matches = shares.flatMap(({ id }) => {
          const held = this.#held(id);
          const addresses = held.trackers.filter((url) => url.startsWith(find)).length;
          const replaced = (url: string) => (url.startsWith(find) ? replace + url.slice(find.length) : url);
          if (!isDryRun) held.trackers = held.trackers.map(replaced);
          return addresses > 0 ? [{ id, addresses }] : [];
        });
        return { matches, failures: [] };
      },
      announceNow: ({ id }) => {
        const { stats, trackers } = this.#held(id);
        if (stats.flags & TORRENT_FLAGS.paused) throw new AppError('TORRENT_NOT_RUNNING', 'torrent: it does not run');
        return { announced: trackers.length, waiting: 0, nextAnnounce: 0 };
      },
      workingTrackers: ({ ids }) => ids.map((id) => this.workingTrackers.get(id) ?? []),
      exportTorrent: ({ id }) => {
        const { metainfo } = this.#held(id);
        if (!metainfo) throw new AppError('METADATA_UNKNOWN', 'torrent: its metadata is not there yet');
        return metainfo;
      },
      mergeTrackers: ({ id, tiers }) => this.#mergeTrackers(id, tiers.flat()),
      setLibraryRecord: ({ id, by, record, before }) => {
        const { facts } = this.#held(id);
        const share = facts.holders?.find(({ accountId }) => accountId === (by ?? facts.ownerId)) ?? facts;
        if (before && !isDeepStrictEqual(share.library, before)) {
          throw new AppError('RECORD_CHANGED', 'torrent: changed by another meanwhile');
        }
        if (!facts.holders) return this.setFacts(id, { library: record });
        const { ownerId } = facts;
        const edit = (holder: HolderFacts) =>
          holder.accountId === (by ?? ownerId) ? { ...holder, library: record } : holder;
        this.#setHolders(id, facts.holders.map(edit));
      },
      setRateLimits: (limits) => {
        this.rateLimits = limits;
      },
      setTorrentRateLimits: ({ id, downBytesPerSec, upBytesPerSec }) => {
        const held = this.#held(id);
        held.limits = { downBytesPerSec, upBytesPerSec };
        const { rateLimits: _before, ...facts } = held.facts;
        held.facts = downBytesPerSec + upBytesPerSec > 0 ? { ...facts, rateLimits: held.limits } : facts;
        return this.setFacts(id, {});
      },
      torrentRateLimits: ({ id }) => this.#held(id).limits,
      setTorrentPeerLimits: ({ id, maxPeers, uploadSlots }) => {
        this.#held(id).peerLimits = { maxPeers, uploadSlots };
      },
      torrentPeerLimits: ({ id }) => this.#held(id).peerLimits,
      inspectTorrent: async (params) => {
        this.inspections.push(params);
        await this.inspectHeldBy;
        const { details } = this.#held(params.id);
        return Object.fromEntries(params.parts.map((part) => [part, details[part]]));
      },
      inspectTorrents: ({ shares, parts }) =>
        shares.map(({ id }) => {
          const held = this.#torrents.get(id);
          return held ? Object.fromEntries(parts.map((part) => [part, held.details[part]])) : null;
        }),
      openFile: ({ id, index }) => {
        this.#held(id);
        const file = this.#files.get(id)?.get(index);
        if (!file) throw new AppError('FILE_NOT_FOUND', 'file not found');
        const reader = ++this.#lastReader;
        this.#readers.set(reader, file);
        return { reader, path: file.path, sizeBytes: file.bytes.length, isWhole: !file.isPartial };
      },
      readFile: async ({ reader, from, count, until }) => {
        await this.readsHeldBy;
        const file = this.#readers.get(reader);
        if (!file) return new Uint8Array(0);
        const { refusal } = file;
        if (refusal) throw refusal;
        const bytes = Uint8Array.from(file.bytes.subarray(from, Math.min(from + count, until)));
        this.bytesRead += bytes.length;
        return bytes;
      },
      closeFile: ({ reader }) => void this.#readers.delete(reader),
      createTorrent: (params) => {
        if (this.refuseNextCreation) {
          const refusal = this.refuseNextCreation;
          this.refuseNextCreation = null;
          throw refusal;
        }
        this.creationsAsked.push(params);
        const creation = ++this.#lastReader;
        this.#creations.set(creation, params);
        return { creation };
      },
      creationStatus: async ({ creation, wait = false }) => {
        if (wait) await this.creationsHeldBy;
        this.#creation(creation);
        const isDone = wait || this.creationsHeldBy === null;
        const progress = { bytesDone: isDone ? 3 : 1, bytesTotal: 3, files: 1, pieceLength: 16_384, error: null };
        return { ...progress, state: isDone ? 'done' : 'hashing', id: isDone ? CREATED.infoHash : null };
      },
      createdTorrent: ({ creation }) => {
        this.#creation(creation);
        return CREATED.torrentBytes;
      },
      endCreation: ({ creation }) => void this.#creations.delete(creation),
      health: () => ({
        uptimeMs: 1,
        loopDelayP99Ms: 0,
        torrents: this.#torrents.size,
        connections: 0,
        dhtNodes: this.dhtNodes,
        ...this.reach,
        slabUsedBytes: 0,
        bans: 0,
        failedPieces: 0,
        wastedBytes: 0,
      }),
      grantLease: () => undefined,
      giveTorrents: ({ ids, engineId: givenTo }) => {
        for (const id of ids) {
          this.#running().release(this.#held(id).facts.row);
          this.#torrents.delete(id);
          emit({ name: 'torrent.removed', payload: { id, givenTo } });
        }
        return { given: ids.length, failures: [] };
      },
      takeTorrents: () => ({ taken: 0, left: 0 }),
      stop: () => undefined,
    };
  };

  #add(params: AddTorrentParams) {
    const { source, savePath, ownerId, library = NEW_LIBRARY_RECORD, paused, sequential = false } = params;
    this.layouts.push(params.layout);
    const { maxBytes = Infinity } = params;
    if (this.refuseNextAdd) {
      const refusal = this.refuseNextAdd;
      this.refuseNextAdd = null;
      throw refusal;
    }
    const { fileCount, ...parsed } = source.kind === 'magnet' ? parseMagnet(source.uri) : parseMetainfo(source.bytes);
    const own = source.kind === 'magnet' ? new URL(magnetLink(source.uri)).searchParams.getAll('tr') : [];
    const trackers = own.map((url) => [url]);
    if (params.mustExist && !this.#torrents.has(parsed.id))
      throw new AppError('TORRENT_NOT_FOUND', 'torrent not found');
    if (this.#torrents.has(parsed.id)) return { id: parsed.id, existed: true, trackers };
    const { totalBytes: bytes } = parsed;
    if (bytes > maxBytes) throw new AppError('TORRENT_TOO_LARGE', 'torrent: larger than it may be', { bytes });
    const { row, tag } = this.#running().allocate();
    const facts: TorrentFacts = {
      ...parsed,
      row,
      rowTag: tag,
      metadataBytes: source.kind === 'metainfo' ? source.bytes.length : 0,
      savePath,
      addedAt: 1_700_000_000 + this.#torrents.size,
      completedAt: null,
      ownerId,
      library,
      error: null,
    };
    const flags = (paused ? TORRENT_FLAGS.paused : 0) | (sequential ? TORRENT_FLAGS.sequential : 0);
    const stats = { ...emptyStats(), flags, wantedBytes: parsed.totalBytes };
    stats.queuePosition = this.#torrents.size;
    const limits = { downBytesPerSec: 0, upBytesPerSec: 0 };
    this.added.push(params);
    this.#torrents.set(parsed.id, {
      facts,
      stats,
      peers: new Set(),
      limits,
      peerLimits: { maxPeers: 0, uploadSlots: 0 },
      details: { ...NO_DETAILS },
      fileCount,
      move: NO_MOVE,
      priorities: {},
      trackers: own,
      metainfo: source.kind === 'metainfo' ? source.bytes : null,
    });
    this.#running().write(row, stats);
    this.#emit({ name: 'torrents.added', payload: { torrents: [facts] } });
    return { id: parsed.id, existed: false, trackers };
  }

  #setFlag(id: TorrentId, flag: number, on: boolean): void {
    const { flags } = this.#held(id).stats;
    this.setStats(id, { flags: on ? flags | flag : flags & ~flag });
  }

  #holdersOf({ holders, ownerId: accountId, savePath, name, trackers, addedAt, library, id }: TorrentFacts) {
    const has = (flag: number) => (this.#held(id).stats.flags & flag) !== 0;
    const { paused, sequential, forceStart } = TORRENT_FLAGS;
    const flags = { paused: has(paused), sequential: has(sequential), forceStart: has(forceStart) };
    return holders ?? [{ accountId, savePath, name, trackers, addedAt, library, ...flags }];
  }

  #setHolders(id: TorrentId, holders: readonly HolderFacts[]): void {
    const held = this.#held(id);
    const { holders: _before, ...facts } = held.facts;
    const [{ accountId: ownerId, library, addedAt } = missing()] = holders;
    held.facts = { ...facts, ownerId, library, addedAt };
    this.setFacts(id, holders.length > 1 ? { holders } : {});
    const isPaused = holders.every(({ paused }) => paused);
    this.#setFlag(id, TORRENT_FLAGS.paused, isPaused);
  }

  /** False when nobody else holds it. */
  #leave(id: TorrentId, by: AccountId): boolean {
    const { holders } = this.#held(id).facts;
    if (holders)
      this.#setHolders(
        id,
        holders.filter(({ accountId }) => accountId !== by),
      );
    return holders !== undefined;
  }

  #setPaused(id: TorrentId, by: AccountId | undefined, paused: boolean): void {
    const { holders } = this.#held(id).facts;
    if (!holders) return this.#setFlag(id, TORRENT_FLAGS.paused, paused);
    const edit = (holder: HolderFacts) =>
      by === undefined || holder.accountId === by ? { ...holder, paused } : holder;
    this.#setHolders(id, holders.map(edit));
  }

  #move(id: TorrentId, position: number): void {
    const order = [...this.#torrents.values()].sort((a, b) => a.stats.queuePosition - b.stats.queuePosition);
    const held = this.#held(id);
    order.splice(order.indexOf(held), 1);
    order.splice(Math.max(0, position), 0, held);
    order.forEach(({ facts }, queuePosition) => this.setStats(facts.id, { queuePosition }));
  }

  #moveTogether(ids: ReadonlySet<TorrentId>, to: QueueTarget): void {
    const order = [...this.#torrents.values()].sort((a, b) => a.stats.queuePosition - b.stats.queuePosition);
    const moving = new Set(order.filter(({ facts }) => ids.has(facts.id)));
    movedOrder(order, moving, to).forEach(({ facts }, queuePosition) => this.setStats(facts.id, { queuePosition }));
  }

  #mergeTrackers(id: TorrentId, urls: readonly string[]): void {
    const held = this.#held(id);
    held.trackers = [...new Set([...held.trackers, ...urls])];
  }

  #held(id: TorrentId): Held {
    const held = this.#torrents.get(id);
    if (!held) throw new AppError('TORRENT_NOT_FOUND', `torrent ${id}: unknown`);
    return held;
  }

  #running(): StatsWriter {
    if (!this.#writer) throw new AppError('ENGINE_NOT_RUNNING', 'engine: not started');
    return this.#writer;
  }
}

function missing(): never {
  throw new AppError('BUG', 'bug: a torrent that nobody holds');
}

function parseMagnet(given: string): Parsed {
  const uri = magnetLink(given);
  const hash = /^magnet:\?.*xt=urn:btih:([0-9a-fA-F]{40})/.exec(uri)?.[1];
  if (!hash) throw new AppError('MAGNET_INVALID', 'magnet: no info hash of 40 hexadecimal digits');
  const id = parseInfoHash(hash);
  const name = new URL(uri).searchParams.get('dn') ?? id;
  const trackers = new URL(uri).searchParams.getAll('tr').join('\n');
  return { id, name, trackers, totalBytes: 0, isPrivate: false, hasMetadata: false, fileCount: Infinity };
}

function parseMetainfo(bytes: Uint8Array): Parsed {
  try {
    const root = bencode.decode(bytes) as {
      info: { name: Uint8Array; length?: number; files?: unknown[] } & BencodeInput;
    };
    const id = infoHashFromBytes(createHash('sha1').update(bencode.encode(root.info)).digest());
    const name = Buffer.from(root.info.name).toString();
    const fileCount = root.info.files?.length ?? 1;
    return {
      id,
      name,
      trackers: '',
      totalBytes: root.info.length ?? 0,
      isPrivate: false,
      hasMetadata: true,
      fileCount,
    };
  } catch (cause) {
    throw new AppError('TORRENT_INVALID', 'torrent: not a bencoded dictionary with info', undefined, { cause });
  }
}
