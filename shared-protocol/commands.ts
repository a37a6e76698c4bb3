// What the main thread may ask of the engine, written once. The client, the engine's table of handlers and the
// deadlines are derived from this map, so a new command that is not handled, timed and sampled does not compile.
// Only plain, cloneable data: no class instances, no functions, no pooled Buffers.
import type { EncryptionPolicy } from './encryption-policy.js';
import type { AddressRanges } from './address-ranges.js';
import type { CreationState } from './creation-state.js';
import type { ContentLayout } from './content-layout.js';
import type { AccountId, TorrentId } from './ids.js';
import type { ErrorRecord } from './errors.js';
import type { LibraryRecord } from './library-record.js';
import type { MoveState } from './move-state.js';
import type { NetworkOptions, NetworkStatus } from './network/network-options.js';
import type { PeerFlagFacts } from './peer-facts.js';
import type { FolderTrial, ListedFolder, ListFolderParams, RealLocation, VolumeLook } from './folders.js';
import type { NewNameRules } from './name-rules.js';
import type { Preallocation } from './preallocation.js';
import type { RecordedState } from './recorded-state.js';

/** Where a torrent comes from. */
export type TorrentSource =
  | { readonly kind: 'metainfo'; /** The whole `.torrent` file. */ readonly bytes: Uint8Array }
  | { readonly kind: 'magnet'; readonly uri: string };

/** Where a torrent that has been added pauses by itself: with its metadata, or once what lies there has been checked. */
export type StopPoint = 'metadata' | 'check';

/** Wishes for a torrent from its very beginning, durable with it; one more holder has them for its own share. */
export interface AddingWishes {
  /** The first and last pieces of each wanted file come first. @default false */
  readonly firstLastFirst?: boolean;
  /** @default false */
  readonly forceStart?: boolean;
  /** Limits of this torrent alone. @default none */
  readonly rateLimits?: RateLimits;
  /**
   * By file index; files that are not named are `normal`. Of a magnet they hold when its metadata comes, those that name
   * no file of it for nothing; else they are refused: `FILE_INDEX_INVALID`.
   */
  readonly filePriorities?: Readonly<Record<number, FilePriority>>;
  /** Before all others in the queue, whose order is nobody's own: for one more holder nothing. @default false */
  readonly isFirstInQueue?: boolean;
  /** @default nowhere */
  readonly stopAfter?: StopPoint;
  /**
   * Files that lie there are trusted without a check, where all that are wanted have their very sizes and no time in the
   * future; they are hashed before anything of them goes out. One more holder has nothing to trust. @default false
   */
  readonly skipCheck?: boolean;
}

export interface AddTorrentParams extends AddingWishes {
  readonly source: TorrentSource;
  /** Absolute directory that receives the torrent's files. */
  readonly savePath: string;
  /** Absolute directory that they are brought to once the torrent is complete; files that lie there already are used. @default they stay */
  readonly completePath?: string;
  /** The account that adds it, and so owns it. */
  readonly ownerId: AccountId;
  /** @default NEW_LIBRARY_RECORD */
  readonly library?: LibraryRecord;
  readonly paused: boolean;
  /** Earliest pieces first. @default false */
  readonly sequential?: boolean;
  /**
   * The creation by which what lies there was hashed just now: it is not checked again. `FILES_CHANGED` where it is not as
   * it was; `SAVE_PATH_INVALID` where the torrent would lie elsewhere. Nothing of it where the torrent is there already.
   */
  readonly created?: number;
  /** Whether its files lie in a folder. @default 'original' */
  readonly layout?: ContentLayout;
  /** Room that its files are given when they are made. @default 'none' */
  readonly preallocation?: Preallocation;
  /** The suffix that names have while files are incomplete. @default none */
  readonly incompleteSuffix?: string;
  /** The rules by which names of its author are on disk; with `recorded` its own hold. @default 'posix' */
  readonly names?: NewNameRules;
  /**
   * The record of another program: the torrent lies exactly where that says, and begins with its pieces, figures and dates.
   * `SAVE_PATH_INVALID` where it may not lie so. Nothing of it where the torrent is there already.
   */
  readonly recorded?: RecordedState;
  /** An administrator has the torrent take over what lies at its paths; only with `recorded`. @default false */
  readonly takeOver?: boolean;
  /** The torrent is on this engine already, or nothing is done: `TORRENT_NOT_FOUND`. The save path is then of another machine. @default false */
  readonly mustExist?: boolean;
  /** Bytes of content that it may have, as far as they are known yet: `TORRENT_TOO_LARGE`. @default any number */
  readonly maxBytes?: number;
  /** The name of the engine that was chosen for it, of several that are taken as one. @default that of its account */
  readonly on?: string;
}

/** A torrent file as it would be added, for people to look at. */
export interface MetainfoDetail {
  readonly id: TorrentId;
  /** Names are as they would be on disk. */
  readonly name: string;
  /** Pad files (BEP 47) are in none of the numbers. */
  readonly totalBytes: number;
  readonly pieceLength: number;
  readonly pieceCount: number;
  readonly isPrivate: boolean;
  readonly fileCount: number;
  /** The first ones, as many as were asked for. */
  readonly files: readonly Pick<FileDetail, 'index' | 'path' | 'sizeBytes'>[];
  /** Hosts with their ports, each once: what is behind them in an address may be a passkey. */
  readonly trackerHosts: readonly string[];
}

export interface AddTorrentResult {
  readonly id: TorrentId;
  /** The torrent was there already, and nothing of it was changed. */
  readonly existed: boolean;
  /** The announce tiers of the source, for `mergeTrackers` where it existed. */
  readonly trackers: readonly (readonly string[])[];
}

export interface TorrentRef {
  readonly id: TorrentId;
}

/** A torrent, and whose share of it (engine/torrent/holders.ts). `TORRENT_NOT_FOUND` where the account has none. */
export interface ShareRef extends TorrentRef {
  /** @default all shares; of what is one's alone, the owner's */
  readonly by?: AccountId;
}

/** An account whose torrents take over the files that lie at their paths already. */
export interface Adopter {
  readonly accountId: AccountId;
  /** Real path below which it may; null: anywhere. */
  readonly home: string | null;
}

/** Two torrents of different accounts at the same place. */
export interface TorrentOverlap {
  readonly one: TorrentId;
  readonly other: TorrentId;
  /** Absolute. */
  readonly path: string;
}

/** Options that the engine is started with: plain data, most of it from the run contract and the settings. */
export interface EngineOptions {
  /** Directory of all state; the engine keeps its store in `<dataDir>/torrents`. */
  readonly dataDir: string;
  /** Real folders below which files of torrents may be, and nowhere else. @default anywhere but in `dataDir` */
  readonly roots?: readonly string[];
  /** The engine as one of several on shared roots (docs/operate/fleet.md). @default it shares none */
  readonly sharing?: SharingOptions;
  /** Addresses the peer listener binds; the first must be there, the others (IPv6) may not. */
  readonly peerHosts: readonly string[];
  /** Port for peers, the same on all addresses and for the DHT; 0 picks a free one. */
  readonly peerPort: number;
  /** Ports of which the first that is free is taken, in place of the one above. @default none */
  readonly peerPorts?: readonly PortRange[];
  /** The interface and the proxy by which others are reached. @default as the system likes, without one */
  readonly network?: NetworkOptions;
  /** Others are told as little as possible of this program and machine. @default false */
  readonly anonymous?: boolean;
  /** Peers per torrent. @default 100 (docs/limits.md, "Starting values") */
  readonly maxPeersPerTorrent: number;
  /** Peers over all torrents. @default 1000 */
  readonly maxPeers: number;
  /** Upload slots over all torrents, set between these by the measured upload rate. @default 8 to 64 */
  readonly uploadSlots?: { readonly min: number; readonly max: number };
  /** Bytes of the shared piece buffer. @default 48 MiB */
  readonly slabBytes: number;
  /** Threads that hash. @default 2 */
  readonly hashThreads: number;
  readonly logLevel: LogLevel;
  readonly userAgent: string;
  readonly encryption: EncryptionPolicy;
  /** null: no DHT, and no socket for it. */
  readonly dht: DhtOptions | null;
  /** Local service discovery (BEP 14). */
  readonly lsd: boolean;
  /** Asks the router for the peer port by UPnP and NAT-PMP. */
  readonly portMapping: boolean;
  /** Over all torrents. */
  readonly rateLimits: RateLimits;
  /** Accounts that have none are left out. @default none */
  readonly accountLimits?: readonly AccountLimit[];
  readonly queueLimits: QueueLimits;
  /** Accounts that may take over files that lie where a torrent's are to be. @default all */
  readonly adopters?: readonly Adopter[];
  /** Ranges inside that are open for all torrents, as CIDR: `--fetch-allow`. */
  readonly fetchAllow: readonly string[];
  /** Addresses of name servers, with ports where they are others than 53; null: the system's. */
  readonly nameServers: readonly string[] | null;
  /** Accounts as {@link EngineCommands.setInsiders} has them. */
  readonly insiders: readonly AccountId[];
  /** Addresses that it has nothing to do with: whatever is on one of the lists. */
  readonly blocklist: readonly AddressRanges[];
}

/** Both included. */
export interface PortRange {
  readonly first: number;
  readonly last: number;
}

export interface DhtOptions {
  /** Nodes to begin with besides those of the last run; null: the public routers. */
  readonly bootstrap: readonly { readonly host: string; readonly port: number }[] | null;
}

/** Payload in bytes per second; 0: no limit. */
export interface RateLimits {
  readonly downBytesPerSec: number;
  readonly upBytesPerSec: number;
}

/** Connections and upload slots of one torrent; 0: as many as it would have. Never more than that. */
export interface TorrentPeerLimits {
  readonly maxPeers: number;
  readonly uploadSlots: number;
}

/** Limits of all torrents that an account runs together. */
export interface AccountLimit extends RateLimits {
  readonly accountId: AccountId;
  /** Nothing is uploaded to peers, whatever the rates. Absent: not so. */
  readonly isUploadStopped?: true;
}

/** Where in the queue torrents are moved to together: `up` and `down` by one place, a number to a place from 0. */
export type QueueTarget = 'top' | 'bottom' | 'up' | 'down' | number;

/** How many torrents run at a time without being forced; 0: no limit, and nothing is held back. */
export interface QueueLimits {
  readonly maxActiveDownloads: number;
  readonly maxActiveSeeds: number;
}

export type { EncryptionPolicy };

export type LogLevel = 'trace' | 'debug' | 'info' | 'warn' | 'error' | 'silent';

export interface EngineStarted {
  /** The port that really listens for peers. */
  readonly peerPort: number;
  readonly torrents: number;
}

/** Health and load of the engine thread. */
export interface EngineHealth {
  readonly uptimeMs: number;
  /** 99th percentile of the engine thread's event-loop delay since the last call, in milliseconds. */
  readonly loopDelayP99Ms: number;
  readonly torrents: number;
  readonly connections: number;
  /** Nodes in the DHT's routing table; 0 while there is no DHT. */
  readonly dhtNodes: number;
  /** The port that listens for peers; null: none does. */
  readonly listeningPort: number | null;
  /** A peer has come by itself and named a torrent that is here, since there was another way to others or since the start. */
  readonly hasIncoming: boolean;
  /** Bytes of the piece slab in use. */
  readonly slabUsedBytes: number;
  /** Peers and web seeds banned since the engine started. */
  readonly bans: number;
  /** Pieces that failed their hash after a download, and the bytes in them. */
  readonly failedPieces: number;
  readonly wastedBytes: number;
}

/** A connected peer, for people to look at. */
export interface PeerDetail {
  readonly host: string;
  readonly port: number;
  readonly client: string;
  /** Letters as Transmission and qBittorrent show them (docs/semantics.md section 11). */
  readonly flags: string;
  /** The same and more, for clients with letters of their own. It is always reached by TCP. */
  readonly facts: PeerFlagFacts;
  /** 0 to 1. */
  readonly progress: number;
  /** The share that it has of the pieces that are missing here, from 0 to 1; 0 where none is missing or known. */
  readonly relevance: number;
  /** Payload in bytes per second. */
  readonly downloadRate: number;
  readonly uploadRate: number;
  /** Payload of this connection, in bytes. */
  readonly bytesDown: number;
  readonly bytesUp: number;
}

/** How much a file is wanted. */
export type FilePriority = 'skip' | 'normal' | 'high' | 'max';

/** A file of a torrent, for people to look at; pad files (BEP 47) are not shown. */
export interface FileDetail {
  /** The file's place in the info dictionary, by which priorities name it. */
  readonly index: number;
  /** Below the save path, elements joined with `/`. */
  readonly path: string;
  readonly sizeBytes: number;
  /** Bytes of it that lie in verified pieces. */
  readonly bytesDone: number;
  readonly priority: FilePriority;
}

/** A tracker of a torrent, for people to look at. */
export interface TrackerDetail {
  readonly url: string;
  /** The number of its tier (BEP 12), from 0: the tiers are announced to independently. */
  readonly tier: number;
  readonly status: 'working' | 'updating' | 'not contacted' | 'disabled' | `error: ${string}`;
  /** The number that the tracker told last; 0 while it has told none. */
  readonly seeds: number;
  readonly peers: number;
  readonly downloaded: number;
  /** `seeds` and `peers` are what it told; else they are 0 because it has told nothing yet. */
  readonly hasTold: boolean;
  /** Unix seconds; 0 when never. */
  readonly lastAnnounce: number;
  readonly nextAnnounce: number;
  /** Whether the last announce was answered. */
  readonly answered: boolean;
  /** Failures since the last answer. */
  readonly fails: number;
  /** Why the last announce failed, else the warning that came with its answer (BEP 3); empty: neither. */
  readonly message: string;
  /** Addresses of peers in the last answer. */
  readonly peersGiven: number;
  /** Seconds between announces as it asked for them last, and the least of them; 0 where it asked for none. */
  readonly interval: number;
  readonly minInterval: number;
}

/** Which pieces there are, for people to look at. */
export interface PiecesDetail {
  /** 0 while the metadata is unknown. */
  readonly pieceCount: number;
  /** Bytes; the last piece may be shorter. */
  readonly pieceLength: number;
  /** Verified pieces, one bit each, the most significant first (BEP 3). */
  readonly have: Uint8Array;
  /** Connected peers that have each piece, 255 for more; null while it downloads nothing: they are not counted then. */
  readonly availability: Uint8Array | null;
}

/** The pieces of each file of the list, in its order. */
export interface FilePiecesDetail {
  /** Index of the first and the last piece that has bytes of it; of a file without bytes, where it would begin. */
  readonly first: Uint32Array;
  readonly last: Uint32Array;
  /** The share of its pieces, from 0 to 1, that are here or with a connected peer; null while it downloads nothing. */
  readonly availability: Float64Array | null;
}

/** A torrent file besides its files and trackers. */
export interface TorrentMetainfo {
  /**
   * From around the info dictionary, cut to what is kept of them; empty, or 0 (Unix seconds), where there is none: in magnets
   * and in torrents of before they were kept, and for all but the account that brought the torrent file.
   */
  readonly comment: string;
  readonly createdBy: string;
  readonly createdAt: number;
  /** From within it; empty: none. */
  readonly source: string;
  /** That names of its incomplete files have on disk. Absent: none. */
  readonly incompleteSuffix?: string;
  /** Hash of version 2 (BEP 52) of a hybrid torrent, 64 hexadecimal digits; null: there is none. */
  readonly infoHashV2: string | null;
  /** False while the metadata is unknown, as are the next two 0. */
  readonly isPrivate: boolean;
  /** Bytes. */
  readonly pieceLength: number;
  readonly pieceCount: number;
}

/** Downloads of a torrent that came for nothing since the engine started. */
export interface TorrentWaste {
  /** Pieces with a wrong hash, as often as they had one, and the bytes in them. */
  readonly failedPieces: number;
  readonly failedBytes: number;
  /** Bytes of blocks that were here already, or not expected any more. */
  readonly redundantBytes: number;
}

/** A web seed, for people to look at; of an account that did not bring them there are none. */
export interface WebSeedDetail {
  readonly url: string;
  /** `files`: BEP 19; `pieces`: BEP 17. */
  readonly form: 'files' | 'pieces';
  /** `waiting`: it failed, or asked for patience, and has not been tried again since. */
  readonly state: 'idle' | 'connected' | 'waiting' | 'banned';
  /** Bytes per second, and bytes of this connection. */
  readonly downloadRate: number;
  readonly bytesDown: number;
}

export type DetailPart =
  'files' | 'filePieces' | 'peers' | 'trackers' | 'pieces' | 'pieceHashes' | 'metainfo' | 'waste' | 'webSeeds';

/** Details of many torrents: of as many as {@link INSPECTED_AT_ONCE}, so that the answer holds up neither thread. */
export interface InspectManyParams {
  readonly shares: readonly ShareRef[];
  readonly parts: readonly DetailPart[];
}

/** Torrents in one message of their details; no spec value: a message of so many is made in some milliseconds. */
export const INSPECTED_AT_ONCE = 500;

export interface InspectParams {
  readonly parts: readonly DetailPart[];
  /** @default all of them */
  readonly files?: FilesWanted;
}

/** Some of a torrent's files, by their place in the list: of hundreds of thousands no client waits for all at once. */
export interface FilesWanted {
  readonly from: number;
  readonly count: number;
  /** The stamp that the same files were given with before. */
  readonly stamp?: string;
}

/** Files that were asked for; none where they are as they were by their stamp. */
export interface FilesGiven {
  /** In the whole list. */
  readonly total: number;
  readonly stamp: string;
  readonly isSame: boolean;
}

/** Exactly the parts that were asked for. */
export interface TorrentDetails {
  /** Empty while the metadata is unknown. */
  readonly files?: readonly FileDetail[];
  /** Where some of the files were asked for. */
  readonly filesGiven?: FilesGiven;
  /** The pieces of the files that were asked for. */
  readonly filePieces?: FilePiecesDetail;
  /** The peers it is connected to; empty while it rests. */
  readonly peers?: readonly PeerDetail[];
  readonly trackers?: readonly TrackerDetail[];
  readonly pieces?: PiecesDetail;
  /** SHA-1, 20 bytes for each piece; empty while the metadata is unknown. */
  readonly pieceHashes?: Uint8Array;
  readonly metainfo?: TorrentMetainfo;
  readonly waste?: TorrentWaste;
  readonly webSeeds?: readonly WebSeedDetail[];
}

/** The trackers that a wish to announce at once has reached, and those that it has not. */
export interface AnnounceNowResult {
  /** Trackers that are announced to at once. */
  readonly announced: number;
  /** Trackers whose minimum interval, or the pause after a failure, has not passed. */
  readonly waiting: number;
  /** Unix seconds at which the first of those that wait is announced to; 0 where none waits. */
  readonly nextAnnounce: number;
}

/** A search for announce addresses, in the shares that it names. */
export interface ReplaceTrackersParams {
  readonly shares: readonly ShareRef[];
  /** A whole address, or the beginning of addresses up to a `/`, `?`, `&` or `=` (engine/metainfo/tracker-prefix.ts). */
  readonly find: string;
  /** In place of what was found. */
  readonly replace: string;
  /** The account that brings the new addresses, by whose rights they are reached. */
  readonly accountId: AccountId;
  /** Nothing is changed, only looked for. */
  readonly isDryRun: boolean;
}

export interface ReplaceTrackersResult {
  /** Torrents in which addresses were, or would be, replaced, and how many. */
  readonly matches: readonly { readonly id: TorrentId; readonly addresses: number }[];
  /** Torrents that keep theirs, and why. */
  readonly failures: readonly { readonly id: TorrentId; readonly message: string }[];
}

export interface OpenFileParams extends ShareRef {
  /** The file's place in the info dictionary, by which priorities name it. */
  readonly index: number;
  /** The account that reads: where several wait for pieces, they take turns. */
  readonly accountId: AccountId;
}

export interface OpenedFile {
  /** By which it is read and closed; never given twice by an engine. */
  readonly reader: number;
  /** Below the save path, elements joined with `/`. */
  readonly path: string;
  readonly sizeBytes: number;
  /** All of its pieces are there as it is opened. */
  readonly isWhole: boolean;
}

export interface ReadFileParams {
  readonly reader: number;
  /** Offset in the file. */
  readonly from: number;
  /** Bytes wanted now; more than {@link MAX_READ_BYTES} are not given at once. */
  readonly count: number;
  /** Offset at which the reader will stop: nothing from there on is fetched for it. */
  readonly until: number;
}

/** Bytes of a file in one answer: a few milliseconds of a fast disk and of either thread. */
export const MAX_READ_BYTES = 256 * 1024;

export interface AddPeersResult {
  /** Addresses that were not known before. */
  readonly added: number;
}

export interface MoveParams {
  /** Absolute. */
  readonly path: string;
  /** Nothing is moved: the torrent is pointed at what lies there, which is checked. @default false */
  readonly existing?: boolean;
  /** Takes files over as {@link EngineCommands.recheckTorrent} does; only where `existing`. @default false */
  readonly takeOver?: boolean;
  /** The account that asks: what lies there is taken over by its rights and by the owner's. */
  readonly accountId: AccountId;
}

/** Paths below the save path, elements joined with `/`, as {@link FileDetail.path}. */
export interface RenameParams {
  /** A file, or a folder. */
  readonly from: string;
  readonly to: string;
  /** The account that asks: it puts nothing where it may not by its own rights. */
  readonly accountId: AccountId;
}

/** The move that is under way, or the last one if it failed. */
export interface MoveStatus {
  readonly state: MoveState;
  /** Where to; null: there is no move. */
  readonly path: string | null;
  readonly bytesDone: number;
  /** 0 until the files have been looked at. */
  readonly bytesTotal: number;
  readonly error: ErrorRecord | null;
}

/** A torrent that is to be made of a file or a folder of this machine (BEP 3, 12, 19, 27, 47). */
export interface CreateParams {
  /** By whose rights it is read. */
  readonly accountId: AccountId;
  /** Absolute; without links but for the last element, which is refused where it is one. */
  readonly path: string;
  /** A power of two; null: by the size of the whole. */
  readonly pieceLength: number | null;
  readonly isPrivate: boolean;
  /** Each file begins with a piece. */
  readonly padFiles: boolean;
  /** Empty: none. */
  readonly source: string;
  readonly trackers: readonly (readonly string[])[];
  readonly webSeeds: readonly string[];
  /** Empty: none. */
  readonly comment: string;
  readonly createdBy: string;
  /** The torrent is to be seeded from where it lies: names that would be others on disk are refused. */
  readonly isToSeed: boolean;
  /** The name of the engine that was chosen for it, of several that are taken as one. @default that of its account */
  readonly on?: string;
}

export interface CreationRef {
  /** By which it is asked for; never given twice by an engine. */
  readonly creation: number;
}

export interface CreationStatus {
  readonly state: CreationState;
  readonly bytesDone: number;
  /** 0 until the files have been listed, as are the next two. */
  readonly bytesTotal: number;
  readonly files: number;
  readonly pieceLength: number;
  /** null until it is done. */
  readonly id: TorrentId | null;
  readonly error: ErrorRecord | null;
}

export interface SharingOptions {
  readonly engineId: string;
  /** Real folders, at the same paths on each machine that shares them. */
  readonly roots: readonly string[];
  /** The lease under which it begins; it grows with each. */
  readonly epoch: number;
  /** From when on nothing is written (shared-protocol/lease-end.ts). */
  readonly leaseEnd: SharedArrayBuffer;
}

export interface GrantLeaseParams {
  /** The event's number. */
  readonly asked: number;
  readonly epoch: number;
  readonly ttlMs: number;
}

export interface GiveTorrentsParams {
  readonly ids: readonly TorrentId[];
  /** The engine that takes them. */
  readonly engineId: string;
}

export interface GivenTorrents {
  readonly given: number;
  readonly failures: readonly { readonly id: TorrentId; readonly message: string }[];
}

export interface TakeTorrentsParams {
  /** null: those that were handed over. */
  readonly from: { readonly engineId: string; readonly epoch: number } | null;
  /** At most so many at a time. */
  readonly limit: number;
}

export interface TakenTorrentsCount {
  readonly taken: number;
  /** Torrents of the other engine that are still to be taken. */
  readonly left: number;
}

export interface EngineCommands {
  /** Loads the store, opens the peer port; emits `torrents.added` for everything stored. Once per engine. */
  start(params: EngineOptions): EngineStarted;
  /** Tells of all torrents again, as after a start: to a front that has none yet, or has missed something. */
  tellTorrents(params: Record<string, never>): EngineStarted;
  /** Where an absolute path really leads, on the engine's machine. */
  locateFolder(params: { readonly path: string }): RealLocation;
  /** Whether files can be made there: tried, and nothing is left. */
  tryFolder(params: { readonly path: string }): FolderTrial;
  isFolder(params: { readonly path: string }): boolean;
  /** How full the volume of each path is, in their order; null: not known. */
  volumesOf(params: { readonly paths: readonly string[] }): readonly (VolumeLook | null)[];
  /** Lists what lies in a folder. */
  listFolder(params: ListFolderParams): ListedFolder;
  /** Parses and validates as an add does, and stores nothing. `TORRENT_INVALID`. */
  readMetainfo(params: {
    readonly bytes: Uint8Array;
    readonly maxFiles: number;
    /** @default 'posix' */
    readonly names?: NewNameRules;
  }): MetainfoDetail;
  /** Parses, validates and stores durably, then starts. Emits `torrents.added`. `TORRENT_INVALID`, `MAGNET_INVALID`. */
  addTorrent(params: AddTorrentParams): AddTorrentResult;
  /**
   * One more account holds a torrent that is there, with a share that begins as in an add; the torrent's path stays.
   * Trackers are merged where it holds it already. `TORRENT_PRIVATE`: the torrent is, and the source is no metainfo.
   */
  joinTorrent(params: AddTorrentParams): void;
  /** One of several holds it no more; nothing where it is the only one. */
  leaveTorrent(params: TorrentRef & { readonly by: AccountId }): void;
  /** A torrent rests when all shares of it are paused. */
  pauseTorrent(params: ShareRef): void;
  resumeTorrent(params: ShareRef): void;
  /**
   * Queues a verification of everything on disk. No-op while one is pending or metadata is unknown. `takeOver`: files at
   * its paths that it did not make become its own, unless another account's torrent has them. `CHECKED_LATELY`.
   */
  recheckTorrent(params: ShareRef & { readonly takeOver?: boolean }): void;
  /**
   * Moves its files to another save path, in the background, and begins again after an end at any moment; answered when that is
   * durable. Of a torrent that several hold nobody's but for all. `MOVE_NOT_ALLOWED`, `MOVE_CONFLICT`, `MOVE_TARGET_TAKEN`,
   * `SAVE_PATH_INVALID`.
   */
  moveTorrent(params: ShareRef & MoveParams): void;
  /** All files lie at the old place when it answers; nothing where none is moved. `MOVE_CONFLICT` once they lie at the new one. */
  cancelMove(params: ShareRef): void;
  /**
   * Gives a file, or all of a folder, another path below its save path, as durably as a move and by the same journal. Answers when
   * it is done, or after some seconds how far it is: it waits for a check, and copies where no links can be made. Of a torrent
   * that several hold nobody's but for all. `METADATA_UNKNOWN`, `FILE_NOT_FOUND`, `RENAME_INVALID`, `MOVE_NOT_ALLOWED`,
   * `MOVE_CONFLICT`, `MOVE_TARGET_TAKEN`.
   */
  renamePath(params: ShareRef & RenameParams): { readonly state: MoveState };
  /** The same for a rename. */
  moveStatus(params: ShareRef): MoveStatus;
  /**
   * Forgets the share durably. The torrent goes with its last one; only then do its files, in the background, when
   * `deleteData`.
   */
  removeTorrent(params: ShareRef & { readonly deleteData: boolean }): void;
  /**
   * `host:port` each, IPv6 in brackets, of the account that names them. `PEER_ADDRESS_INVALID` names the first bad one,
   * `PEER_ADDRESS_REFUSED` the first that it may not reach; then none is added.
   */
  addPeers(params: TorrentRef & { readonly peers: readonly string[]; readonly accountId: AccountId }): AddPeersResult;
  /** In place of those before, for this run of the engine. */
  setAdopters(params: { readonly adopters: readonly Adopter[] }): void;
  /** Torrents of different accounts that claim the same place on disk, as old libraries may. */
  torrentOverlaps(params: Record<string, never>): readonly TorrentOverlap[];
  setPeerLimits(params: { readonly maxPeersPerTorrent: number }): void;
  /** Over all torrents, from now on; for this run of the engine. */
  setRateLimits(params: RateLimits): void;
  /** Limits of accounts, in place of those before, for this run of the engine; each beside all other limits. */
  setAccountLimits(params: { readonly limits: readonly AccountLimit[] }): void;
  /** Limits of one torrent, durable; the lower one of these and those over all torrents holds. */
  setTorrentRateLimits(params: ShareRef & RateLimits): void;
  torrentRateLimits(params: ShareRef): RateLimits;
  /** For one torrent, durably and in force at once; surplus connections are closed. */
  setTorrentPeerLimits(params: ShareRef & TorrentPeerLimits): void;
  torrentPeerLimits(params: ShareRef): TorrentPeerLimits;
  /**
   * By file index; files that are not named keep theirs. While the metadata is unknown they are stored and hold once it
   * is there, as far as there are such files then. `FILE_INDEX_INVALID`.
   */
  setFilePriorities(params: ShareRef & { readonly priorities: Readonly<Record<number, FilePriority>> }): void;
  /** Earliest pieces first, durably. */
  setSequential(params: ShareRef & { readonly sequential: boolean }): void;
  /** The first and last pieces of each wanted file come first, durably. */
  setFirstLastFirst(params: ShareRef & { readonly firstLastFirst: boolean }): void;
  /** Runs whatever the queue says and takes no place of it, durably. A paused torrent stays paused. */
  /**
   * Super-seeding (BEP 16), durably: once it is whole, peers that come are shown one piece after the other. Of several
   * holders all who run it must want it. Emits `torrent.changed` before it answers.
   */
  setSuperSeeding(params: ShareRef & { readonly superSeeding: boolean }): void;
  setForceStart(params: ShareRef & { readonly forceStart: boolean }): void;
  /** Moves the torrent to a place among all torrents, from 0, clamped; the others close up. Durable. */
  setQueuePosition(params: ShareRef & { readonly position: number }): void;
  /**
   * Moves several together: all or none, their order among themselves is kept, and so is that of the others. Those that are
   * there no more are left out, and one of several that hold it moves it forward only. Durable.
   */
  moveInQueue(params: { readonly shares: readonly ShareRef[]; readonly to: QueueTarget }): void;
  /** From now on; for this run of the engine. */
  setQueueLimits(params: QueueLimits): void;
  /**
   * In place of those before, for this run of the engine: who is on one of them is not connected to, let in or asked any
   * more, and connections to them end before it answers; none lets everybody in.
   */
  setBlocklist(params: { readonly lists: readonly AddressRanges[] }): void;
  /**
   * The accounts whose torrents may have trackers, web seeds and peers inside: on this machine and the networks around it.
   * In place of those before, for this run of the engine; what others have there ends before it answers.
   */
  setInsiders(params: { readonly accountIds: readonly AccountId[] }): void;
  /**
   * The interface and the proxy from now on, for this run of the engine. All connections have ended when it answers, and those
   * made by another way have begun. Tells what became of it.
   */
  setNetwork(params: NetworkOptions): NetworkStatus;
  networkStatus(params: Record<string, never>): NetworkStatus;
  /** In a tier of its own, durably, announced to at once if the torrent runs. Known: nothing. `TRACKER_INVALID`. */
  addTracker(params: ShareRef & { readonly url: string; readonly accountId: AccountId }): void;
  /** Durably, also one of the metainfo's; no error when it is not there. */
  removeTracker(params: ShareRef & { readonly url: string }): void;
  /**
   * Tiers in place of those of the share, durably, in the order that is given (BEP 12); what stays keeps its figures.
   * `TRACKER_INVALID` names the first address that cannot be one, that stands twice or has no room; then none is changed.
   */
  setTrackers(
    params: ShareRef & { readonly tiers: readonly (readonly string[])[]; readonly accountId: AccountId },
  ): void;
  /** Addresses in many torrents at once, each torrent's durably and by itself. `TRACKER_INVALID` where `replace` is none. */
  replaceTrackers(params: ReplaceTrackersParams): ReplaceTrackersResult;
  /** Never earlier than a tracker's minimum interval allows (BEP 3). `TORRENT_NOT_RUNNING`. */
  announceNow(params: ShareRef): AnnounceNowResult;
  /** Hosts of the trackers that know of a torrent and have not failed it since, by tier; none for what is not there. */
  workingTrackers(params: { readonly ids: readonly TorrentId[] }): readonly (readonly string[])[];
  /**
   * The torrent file: the info dictionary byte for byte, with the trackers of the share and the web seeds that its holder
   * brought. `METADATA_UNKNOWN`.
   */
  exportTorrent(params: ShareRef): Uint8Array;
  /** Adds the trackers that a second add brings, each new one in a tier of its own; none to a private torrent. */
  mergeTrackers(
    params: ShareRef & { readonly tiers: readonly (readonly string[])[]; readonly accountId: AccountId },
  ): void;
  /**
   * In place of the one before, durably. Emits `torrent.changed` before it answers. `before`: the one that it was made of; where
   * another front has changed that meanwhile, nothing is done: `RECORD_CHANGED`, and this front has been told what it is now.
   */
  setLibraryRecord(params: ShareRef & { readonly record: LibraryRecord; readonly before?: LibraryRecord }): void;
  /** Details that a person looks at, asked for each second meanwhile; a torrent that rests is not woken by it. */
  inspectTorrent(params: ShareRef & InspectParams): TorrentDetails;
  /**
   * The same of many, in the order of the shares; null for what is not there. Other commands are answered meanwhile, so that
   * each is as it was at a moment of its own.
   */
  inspectTorrents(params: InspectManyParams): readonly (TorrentDetails | null)[];
  /** For reading. `METADATA_UNKNOWN`, `FILE_NOT_FOUND`, `TOO_MANY_READERS`. */
  openFile(params: OpenFileParams): OpenedFile;
  /**
   * Verified bytes of the file, from an offset on, as many as are there; those that are missing are fetched before all
   * else. Nothing: they have not come within some seconds. `FILE_UNAVAILABLE`: they are not on their way.
   */
  readFile(params: ReadFileParams): Uint8Array;
  /** Takes the reader out of those that wait for pieces. Nothing where it is closed already. */
  closeFile(params: { readonly reader: number }): void;
  /**
   * Begins to make a torrent. `CREATE_NOT_ALLOWED` for files that are not the account's, whether they are there or not;
   * `CREATE_REFUSED`, `TRACKER_INVALID`.
   */
  createTorrent(params: CreateParams): CreationRef;
  /** `wait`: answers once it has ended, or after some seconds. `CREATION_NOT_FOUND`, as the two below. */
  creationStatus(params: CreationRef & { readonly wait?: boolean }): CreationStatus;
  /** The torrent file. `CREATION_NOT_DONE`. */
  createdTorrent(params: CreationRef): Uint8Array;
  /** Hashes nothing of it any more, and forgets it. Nothing where there is none. */
  endCreation(params: CreationRef): void;
  health(params: Record<string, never>): EngineHealth;
  /** The engine is the only one of its id for so long from when it asked (`lease.wanted`). Of an engine of its own process alone. */
  grantLease(params: GrantLeaseParams): void;
  /** Hands torrents on shared roots over to another engine, with all that is stored of them; those that cannot go are named. */
  giveTorrents(params: GiveTorrentsParams): GivenTorrents;
  /** Takes torrents that others have handed over, or those of an engine that is held off. `ENGINE_FENCED`: it has begun again. */
  takeTorrents(params: TakeTorrentsParams): TakenTorrentsCount;
  /** Announces `stopped`, saves everything, closes every socket and file. The last command. */
  stop(params: { readonly timeoutMs: number }): void;
}

export type CommandName = keyof EngineCommands;
export type CommandParams<Name extends CommandName> = Parameters<EngineCommands[Name]>[0];
export type CommandResult<Name extends CommandName> = ReturnType<EngineCommands[Name]>;

/** The engine as the main thread calls it. Rejects with an AppError; never hangs past the command's deadline. */
export type EngineClient = {
  readonly [Name in CommandName]: (params: CommandParams<Name>) => Promise<CommandResult<Name>>;
};

/** Commands of one engine alone: they begin and end it, ask for the file system that it saves in, or say whose torrents are. */
export type OwnCommandName =
  | ('start' | 'stop' | 'tellTorrents' | 'locateFolder' | 'tryFolder' | 'isFolder' | 'volumesOf' | 'listFolder')
  | ('grantLease' | 'giveTorrents' | 'takeTorrents');

/** Commands that several engines take as one (api/engines/). */
export type JointCommandName = Exclude<CommandName, OwnCommandName>;

/** An engine, or several, as the services call them. */
export type JointClient = Pick<EngineClient, JointCommandName>;

/** The commands as the engine implements them. */
export type EngineHandlers = {
  readonly [Name in CommandName]: (params: CommandParams<Name>) => CommandResult<Name> | Promise<CommandResult<Name>>;
};

/** How long a caller waits before `ENGINE_TIMEOUT`, in milliseconds. */
export const COMMAND_DEADLINES_MS: { readonly [Name in CommandName]: number } = {
  start: 120_000,
  tellTorrents: 120_000,
  locateFolder: 10_000,
  tryFolder: 10_000,
  isFolder: 10_000,
  volumesOf: 10_000,
  listFolder: 10_000,
  readMetainfo: 30_000,
  addTorrent: 30_000,
  joinTorrent: 30_000,
  leaveTorrent: 30_000,
  pauseTorrent: 10_000,
  resumeTorrent: 10_000,
  recheckTorrent: 10_000,
  moveTorrent: 60_000,
  cancelMove: 60_000,
  renamePath: 60_000,
  moveStatus: 10_000,
  removeTorrent: 60_000,
  addPeers: 10_000,
  setAdopters: 10_000,
  torrentOverlaps: 10_000,
  setPeerLimits: 10_000,
  setRateLimits: 10_000,
  setAccountLimits: 10_000,
  setTorrentRateLimits: 10_000,
  torrentRateLimits: 10_000,
  setTorrentPeerLimits: 10_000,
  torrentPeerLimits: 10_000,
  setFilePriorities: 30_000,
  setSequential: 10_000,
  setSuperSeeding: 10_000,
  setFirstLastFirst: 10_000,
  setForceStart: 10_000,
  setQueuePosition: 10_000,
  moveInQueue: 60_000,
  setQueueLimits: 10_000,
  setBlocklist: 10_000,
  setInsiders: 10_000,
  setNetwork: 20_000,
  networkStatus: 10_000,
  addTracker: 10_000,
  removeTracker: 10_000,
  setTrackers: 10_000,
  replaceTrackers: 120_000,
  announceNow: 10_000,
  workingTrackers: 10_000,
  exportTorrent: 10_000,
  mergeTrackers: 10_000,
  setLibraryRecord: 10_000,
  inspectTorrent: 10_000,
  inspectTorrents: 60_000,
  openFile: 10_000,
  readFile: 30_000,
  closeFile: 10_000,
  createTorrent: 30_000,
  creationStatus: 30_000,
  createdTorrent: 10_000,
  endCreation: 30_000,
  health: 5_000,
  grantLease: 5_000,
  giveTorrents: 120_000,
  takeTorrents: 120_000,
  stop: 15_000,
};
