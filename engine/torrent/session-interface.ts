// The line between a torrent and its session. What a torrent is given: the parts of the session that all torrents share,
// and how it tells the session what it needs. What the session is given: a torrent as its rounds and queues know it. Plain
// interfaces, so that either side can be tested without the other.
import type { Standing } from '../../shared-protocol/address-policy.js';
import type { EncryptionPolicy } from '../../shared-protocol/encryption-policy.js';
import type { TorrentFacts } from '../../shared-protocol/events.js';
import type { AccountId, InfoHash, PeerId, TorrentId } from '../../shared-protocol/ids.js';
import type { StatsWriter } from '../../shared-protocol/stats-table.js';
import type { ResumeRow, TorrentRow, TorrentStore } from '../../storage/types.js';
import type { ChokeCandidate } from '../choker/types.js';
import type { ClaimingTorrent, Claims } from '../claims/index.js';
import type { Disk, KeepFile } from '../disk/types.js';
import type { PieceHasher } from '../hashing/types.js';
import type { TorrentInfo } from '../metainfo/index.js';
import type { GrantReason } from '../peers/attempt-limits.js';
import type { TargetAccess } from '../net/judge-target.js';
import type { GroupLimiter, Limiters } from '../net/rate-limiter.js';
import type { BanReason, BanSubject } from '../peers/ban-list.js';
import type { SeedForm } from '../webseed/index.js';
import type { KnownPeer } from '../peers/peer-list/known-peer.js';
import type { PeerSource } from '../peers/peer-list/sources.js';
import type { PeerList } from '../peers/peer-list/peer-list.js';
import type { PeerKey } from '../picker/types.js';
import type { Clock, Log, PeerAddress, PeerNetwork, PeerSocket, Random } from '../environment.js';
import type { AnnounceQueue } from '../tracker/types.js';
import type { ConnectionDeps } from '../wire/peer-connection.js';
import type { FrameBufferPool } from '../wire/frame-buffers.js';
import type { CheckThrottle } from './check/check-throttle.js';
import type { ProofTurns } from './check/proof-turns.js';
import type { FileListCache } from './files/file-list-cache.js';
import type { SlabBudget } from './download/slab-budget.js';
import type { QueueLaneName } from './state.js';

export interface TorrentServices {
  readonly clock: Clock;
  readonly random: Random;
  readonly log: Log;
  readonly network: PeerNetwork;
  readonly disk: Disk;
  readonly claims: Claims;
  readonly store: TorrentStore;
  readonly lastShutdown: ShutdownFacts;
  readonly serviceTime: ServiceSeconds;
  readonly hasher: PieceHasher;
  readonly slabBudget: SlabBudget;
  readonly checkThrottle: CheckThrottle;
  readonly proofTurns: ProofTurns;
  readonly fileListCache: FileListCache;
  readonly connections: ConnectionDeps;
  readonly buffers: FrameBufferPool;
  readonly stats: StatsWriter;
  readonly announces: AnnounceQueue;
  readonly discovery: TorrentDiscovery;
  readonly peerFilter: PeerFilters;
  readonly inside: InsideRules;
  readonly encryption: EncryptionPolicy;
  readonly limits: Limiters;
  readonly accountLimits: AccountGroups;
  /** Opens a web seed as a peer's socket (BEP 19). */
  readonly openWebSeed: (url: string, form: SeedForm, info: TorrentInfo, access: TargetAccess) => PeerSocket;
  readonly identity: SwarmIdentity;
  readonly queue: TorrentQueue;
  readonly host: TorrentHost;
}

/** The limits that torrents of an account have in common. */
export interface AccountGroups {
  /** `runBy`: the accounts that run the torrent, one at least. */
  groupsOf(runBy: readonly AccountId[]): GroupLimiters;
  /** Whether any of them may upload. */
  mayUpload(runBy: readonly AccountId[]): boolean;
}

export interface GroupLimiters {
  readonly down: GroupLimiter | null;
  readonly up: GroupLimiter | null;
}

/** For how long the engine has run, over all its runs. */
export interface ServiceSeconds {
  seconds(): number;
}

/** How the engine ended the last time (docs/limits.md 2.27). */
export interface ShutdownFacts {
  /** In order: whatever was recorded is as it was. */
  readonly wasClean: boolean;
  /** Whether a record, in Unix seconds, was made shortly before an end that was not in order. */
  isRecent(savedAt: number): boolean;
}

/** The queue of the torrents that want to run, where only so many may (docs/semantics.md section 5). */
export interface TorrentQueue {
  /** Takes or leaves a place. Whether it is held back; if that changes later on, the torrent is told by `setQueued`. */
  takePlace(torrent: SessionTorrent, lane: QueueLaneName | null): boolean;
}

/** Finding peers without trackers: the DHT and the local network. Never asked to for private torrents (BEP 27). */
export interface TorrentDiscovery {
  /** Looks for peers of the torrent, and tells of us, until `stop`. */
  start(infoHash: InfoHash): void;
  stop(infoHash: InfoHash): void;
  /** Looks again at once: the torrent has run out of peers. */
  hurry(infoHash: InfoHash): void;
  /** UDP port of our DHT node; 0: there is none. */
  dhtPort(): number;
  /** A peer's DHT node (BEP 5 `port`). */
  addNode(address: PeerAddress): void;
}

/** Has connections that a ban may concern. */
export interface BanWatcher {
  /** There is one ban more: peers that are banned now are to be cut off. */
  onBanned(): void;
}

/** The bans, blocklists and pauses between attempts that decide which peers we talk to, over all torrents. */
export interface PeerFilters {
  /** Monotonic time from which it may be connected to; not after `nowMs`: now; `Infinity`: never. */
  freeAtMs(peer: KnownPeer, nowMs: number): number;
  onAttempt(address: PeerAddress): void;
  allowAgain(address: PeerAddress, reason: GrantReason): void;
  isBanned(peer: BanSubject): boolean;
  /** Whether a blocklist has the host, whichever peers are there. */
  isBlocked(host: string): boolean;
  /** For the session; every watcher is told. `ground`: what exactly was found out, for the log. */
  ban(peer: BanSubject, reason: BanReason, ground: string): void;
  isBannedWebSeed(url: string): boolean;
  banWebSeed(url: string, ground: string): void;
  /** The peer has sent good pieces: others at its address are not to be banned with it, nor it with them. */
  onGoodPeer(peer: BanSubject): void;
  /** A peer at this address was banned: newcomers from there are on parole. */
  hasOffended(host: string): boolean;
  /** Counts a failed piece of that many bytes. */
  onPieceFailed(bytes: number): void;
  watch(watcher: BanWatcher): void;
  unwatch(watcher: BanWatcher): void;
  /** BEP 40; larger is preferred. */
  priority(address: PeerAddress): number;
}

/** Rules on this machine's networks: which addresses lie inside, and which torrents may reach them. */
export interface InsideRules {
  standingOf(host: string): Standing;
  /** Whether the torrent may reach inside for this tracker. */
  mayReach(row: TorrentRow, url: string): boolean;
  /** The account that has brought the tracker. */
  accountFor(row: TorrentRow, url: string): AccountId;
  isInsider(accountId: AccountId): boolean;
}

export interface SwarmIdentity {
  readonly peerId: PeerId;
  /** Port on which peers reach us; sent in the extended handshake (BEP 10 `p`). 0: they cannot, or are not told. */
  readonly listenPort: () => number;
  /** Sent in the extended handshake (BEP 10 `v`); null: nothing is said. */
  readonly clientName: string | null;
  /** A key that no other connection of the session has. */
  nextPeerKey(): number;
  maxPeersPerTorrent(): number;
}

/** A torrent, as the parts of the session see it. */
export interface SessionTorrent extends ClaimingTorrent, CheckedTorrent, ChokingTorrent, MovedTorrent, RecordedTorrent {
  /** The addresses it knows. */
  readonly known: Pick<PeerList, 'nextAttemptMs'>;
  /** The facts as they are now, to be told by the caller. */
  facts(): TorrentFacts;
  /** How many of the addresses were new. `mayBeInside`: their source may name addresses inside. */
  addPeers(peers: readonly PeerAddress[], source: PeerSource, mayBeInside?: boolean): number;
  /** Where we are is known, so that known peers can be weighed (BEP 40). */
  onOwnAddressKnown(): void;
  /** Once a second while awake. */
  tick(nowMs: number, elapsedMs: number): void;
  /** Connects to the next known address; false when there is none to try now. */
  connectNext(nowMs: number): boolean;
  /** After a while of trouble: files may be back, the disk may take writes again. */
  lookAgain(): Promise<void>;
  /** There is another number of connections it may have. */
  onMaxPeersChanged(): void;
  /** Peers may be on it. */
  onBlocklistChanged(): void;
  onAccountLimitsChanged(): void;
}

/** A torrent whose data on disk is hashed when it is its turn. */
export interface CheckedTorrent {
  readonly ownerId: AccountId;
  readonly savePath: string;
  /** Number of the device that it lies on. @default that of the save path as it was last seen */
  readonly device?: number;
  /** Verifies what is on disk, not before it is its turn. Never rejects. */
  runCheck(turn: HashingTurn): Promise<void>;
  /** Hashes in the background, whatever the torrent is doing. Never rejects. */
  runAudit(turn: HashingTurn): Promise<void>;
}

/** A torrent whose files are brought to another place when it is its turn. */
export interface MovedTorrent {
  readonly ownerId: AccountId;
  /** Where they are going. */
  readonly moveTarget: string;
  /** Files only get other names, as a rule without being copied. */
  readonly isRenaming: boolean;
  /** Never rejects. */
  runMove(): Promise<void>;
}

/** Has peers that want to be unchoked. */
export interface ChokingTorrent {
  readonly ownerId: AccountId;
  chokeCandidates(into: ChokeCandidate[]): void;
  setChoked(key: PeerKey, choked: boolean, optimistic: boolean): void;
}

/** Has progress that is kept for the next run. */
export interface RecordedTorrent {
  readonly id: TorrentId;
  /** The row that may be recorded, after the data was synced. null when there is nothing yet. */
  syncedResume(): Promise<ResumeRow | null>;
  /** For when that fails: what was recorded before, with the counters of now. */
  countersAlone(): ResumeRow | null;
  /** Notes that the row which `syncedResume` gave is stored. */
  onRecorded(): Promise<void>;
}

/** A check's turn among all that read and hash the disk. */
export interface HashingTurn {
  /** So much was hashed of it. */
  spend(bytes: number): void;
  /** Whether the check has had its share and another one waits. */
  readonly isOver: boolean;
  /** Lets others go first; resolves when it may go on, or has been stopped. */
  pass(): Promise<void>;
}

/** The session, as a torrent sees it. */
export interface TorrentHost {
  /** Any fact of the torrent that people see has changed. */
  onFactsChanged(torrent: SessionTorrent): void;
  /** Tells whether the torrent has connections or content to look after each second. */
  setAwake(torrent: SessionTorrent, awake: boolean): void;
  /** Tells whether the torrent knows addresses to connect to, now or later. */
  setSeeking(torrent: SessionTorrent, seeking: boolean): void;
  /** Wants its turn to verify what is on disk. */
  queueCheck(torrent: SessionTorrent): void;
  /** Wants its turn to hash in the background what is in doubt. */
  queueAudit(torrent: SessionTorrent): void;
  cancelCheck(torrent: SessionTorrent): void;
  /** Wants its turn to bring its files to another place. */
  queueMove(torrent: SessionTorrent): void;
  cancelMove(torrent: SessionTorrent): void;
  /** The torrent lies elsewhere from within `mutate` on. */
  switchPlace(torrent: SessionTorrent, mutate: () => void): void;
  /** Files that others have below the save path, where the torrent has a place as well. `topNames`: @default its own */
  filesOfOthers(torrent: SessionTorrent, savePath: string, topNames?: readonly string[] | null): KeepFile;
  /** Resolves as `work` does; whatever is added to the save path meanwhile waits. */
  whileRemoving(savePath: string, work: Promise<void>): Promise<void>;
  /** Tells that the torrent's resume row is behind; `writtenBytes` since the last call. */
  markDirty(torrent: SessionTorrent, writtenBytes: number): void;
  /** Look again in a while: missing files may be back. */
  watchTrouble(torrent: SessionTorrent, troubled: boolean): void;
  /** A peer became interested or left a slot: slots should be dealt out soon, not at the next round. */
  onInterestChanged(): void;
  onConnectionsChanged(delta: 1 | -1): void;
  /** Counts half-open connections, which are among those of `onConnectionsChanged`. */
  onHalfOpenChanged(delta: 1 | -1): void;
  /** `voter` says that it sees us there. */
  onExternalAddress(address: string, voter: string): void;
}
