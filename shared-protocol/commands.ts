// What the main thread may ask of the engine, written once. The client, the engine's table of handlers and the
// deadlines are derived from this map, so a new command that is not handled, timed and sampled does not compile.
// Only plain, cloneable data: no class instances, no functions, no pooled Buffers.
import type { AddressRanges } from './address-ranges.js';
import type { AccountId, TorrentId } from './ids.js';
import type { LibraryRecord } from './library-record.js';
import type { MoveState } from './move-state.js';
import type { NetworkOptions, NetworkStatus } from './network/network-options.js';
import type { FolderTrial, ListFolderParams, ListedFolder, RealLocation, VolumeLook } from './folders.js';
import type { NewNameRules } from './name-rules.js';
import type { AddTorrentParams, AddTorrentResult, MetainfoDetail } from './commands/adding.js';
import type { Adopter, ShareRef, TorrentOverlap, TorrentRef } from './commands/shares.js';
import type { EngineHealth, EngineOptions, EngineStarted } from './commands/engine-options.js';
import type { AccountLimit, QueueLimits, QueueTarget, RateLimits, TorrentPeerLimits } from './commands/limits.js';
import type { FilePriority } from './commands/details.js';
import type { InspectManyParams, InspectParams, TorrentDetails } from './commands/inspection.js';
import type { AnnounceNowResult, ReplaceTrackersParams, ReplaceTrackersResult } from './commands/trackers.js';
import type { OpenFileParams, OpenedFile, ReadFileParams } from './commands/reading.js';
import type { MoveParams, MoveStatus, RenameParams } from './commands/moves.js';
import type { CreateParams, CreationRef, CreationStatus } from './commands/creations.js';
import type {
  GiveTorrentsParams,
  GivenTorrents,
  GrantLeaseParams,
  TakeTorrentsParams,
  TakenTorrentsCount,
} from './commands/sharing.js';

export interface AddPeersResult {
  /** Addresses that were not known before. */
  readonly added: number;
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
  /**
   * Super-seeding (BEP 16), durably: once it is whole, peers that come are shown one piece after the other. Of several
   * holders all who run it must want it. Emits `torrent.changed` before it answers.
   */
  setSuperSeeding(params: ShareRef & { readonly superSeeding: boolean }): void;
  /** Runs whatever the queue says and takes no place of it, durably. A paused torrent stays paused. */
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
