// What a torrent is given: the parts of the session that all torrents share, and how it tells the session what it
// needs. Plain interfaces, so that a torrent can live in a simulated session.
import type { Standing } from '../../shared-protocol/address-policy.js';
import type { EncryptionPolicy } from '../../shared-protocol/commands.js';
import type { AccountId, InfoHash, PeerId } from '../../shared-protocol/ids.js';
import type { StatsWriter } from '../../shared-protocol/stats-table.js';
import type { TorrentRow, TorrentStore } from '../../storage/types.js';
import type { Claims } from '../claims/index.js';
import type { Disk } from '../disk/types.js';
import type { PieceHasher } from '../hashing/types.js';
import type { TorrentInfo } from '../metainfo/index.js';
import type { GrantReason } from '../peers/attempt-limits.js';
import type { TargetAccess } from '../net/judge-target.js';
import type { BanReason, BanSubject } from '../peers/ban-list.js';
import type { SeedForm } from '../webseed/index.js';
import type { KnownPeer } from '../peers/peer-list/known-peer.js';
import type { Clock, Log, PeerAddress, PeerNetwork, PeerSocket, Random } from '../environment.js';
import type { AnnounceQueue } from '../tracker/types.js';
import type { ConnectionDeps } from '../wire/peer-connection.js';
import type { FrameBufferPool } from '../wire/frame-buffers.js';
import type { CheckThrottle } from './check/check-throttle.js';
import type { FileListCache } from './files/file-list-cache.js';
import type { SlabBudget } from './download/slab-budget.js';
import type { Limiters } from './swarm/rate-limits.js';
import type { QueueLaneName } from './state.js';
import type { Torrent } from './torrent.js';

export interface TorrentServices {
  readonly clock: Clock;
  readonly random: Random;
  readonly log: Log;
  readonly network: PeerNetwork;
  readonly disk: Disk;
  readonly claims: Claims;
  readonly store: TorrentStore;
  readonly lastShutdown: ShutdownFacts;
  readonly hasher: PieceHasher;
  readonly slabBudget: SlabBudget;
  readonly checkThrottle: CheckThrottle;
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
  /** Opens a web seed as a peer's socket (BEP 19). */
  readonly openWebSeed: (url: string, form: SeedForm, info: TorrentInfo, access: TargetAccess) => PeerSocket;
  readonly identity: SwarmIdentity;
  readonly queue: TorrentQueue;
  readonly host: TorrentHost;
}

/** How the engine ended the last time (safety.md 2.27). */
export interface ShutdownFacts {
  /** In order: whatever was recorded is as it was. */
  readonly wasClean: boolean;
  /** Whether a record, in Unix seconds, was made shortly before an end that was not in order. */
  isRecent(savedAt: number): boolean;
}

/** Who runs, where only so many may (semantics.md section 5). */
export interface TorrentQueue {
  /** Takes or leaves a place. Whether it is held back; if that changes later on, the torrent is told by `setQueued`. */
  takePlace(torrent: Torrent, lane: QueueLaneName | null): boolean;
}

/** Finding peers without trackers: the DHT and the local network. Never asked to for private torrents (BEP 27). */
export interface TorrentDiscovery {
  /** Looks for peers of the torrent, and tells of us, until `stop`. */
  start(infoHash: InfoHash): void;
  stop(infoHash: InfoHash): void;
  /** It has run out of peers. */
  hurry(infoHash: InfoHash): void;
  /** UDP port of our DHT node; 0: there is none. */
  dhtPort(): number;
  /** A peer's DHT node (BEP 5 `port`). */
  addNode(address: PeerAddress): void;
}

/** Has connections that a ban may concern. */
export interface BanWatcher {
  /** There is one ban more: whoever is banned now is to be cut off. */
  onBanned(): void;
}

/** Whom we talk to, over all torrents. */
export interface PeerFilters {
  /** Monotonic time from which it may be connected to; not after `nowMs`: now; `Infinity`: never. */
  freeAtMs(peer: KnownPeer, nowMs: number): number;
  onAttempt(address: PeerAddress): void;
  allowAgain(address: PeerAddress, reason: GrantReason): void;
  isBanned(peer: BanSubject): boolean;
  /** Somebody's list has the host, whoever is there. */
  isBlocked(host: string): boolean;
  /** For the session; every watcher is told. `ground`: what exactly was found out, for the log. */
  ban(peer: BanSubject, reason: BanReason, ground: string): void;
  isBannedWebSeed(url: string): boolean;
  banWebSeed(url: string, ground: string): void;
  /** The peer has sent good pieces: whoever shares its address is not to be banned with it, nor it with them. */
  onGoodPeer(peer: BanSubject): void;
  /** A peer at this address was banned: newcomers from there are on parole. */
  hasOffended(host: string): boolean;
  /** Of that many bytes; for the counters. */
  onPieceFailed(bytes: number): void;
  watch(watcher: BanWatcher): void;
  unwatch(watcher: BanWatcher): void;
  /** BEP 40; larger is preferred. */
  priority(address: PeerAddress): number;
}

/** What lies inside this machine's networks, and which torrents may reach it. */
export interface InsideRules {
  standingOf(host: string): Standing;
  /** Whether the torrent may reach inside for this tracker. */
  mayReach(row: TorrentRow, url: string): boolean;
  /** Who has brought the tracker. */
  accountFor(row: TorrentRow, url: string): AccountId;
  isInsider(accountId: AccountId): boolean;
}

export interface SwarmIdentity {
  readonly peerId: PeerId;
  /** Port on which peers reach us; sent in the extended handshake (BEP 10 `p`). */
  readonly listenPort: () => number;
  readonly clientName: string;
  /** A key that no other connection of the session has. */
  nextPeerKey(): number;
  maxPeersPerTorrent(): number;
}

/** The session, as a torrent sees it. */
export interface TorrentHost {
  /** Any fact of the torrent that people see has changed. */
  onFactsChanged(torrent: Torrent): void;
  /** It has connections or content to look after each second, or no longer. */
  setAwake(torrent: Torrent, awake: boolean): void;
  /** It knows addresses to connect to, now or later. */
  setSeeking(torrent: Torrent, seeking: boolean): void;
  /** Wants its turn to verify what is on disk. */
  queueCheck(torrent: Torrent): void;
  /** Wants its turn to hash in the background what is in doubt. */
  queueAudit(torrent: Torrent): void;
  cancelCheck(torrent: Torrent): void;
  /** Its resume row is behind; `writtenBytes` since the last call. */
  markDirty(torrent: Torrent, writtenBytes: number): void;
  /** Look again in a while: missing files may be back. */
  watchTrouble(torrent: Torrent, troubled: boolean): void;
  /** A peer became interested or left a slot: slots should be dealt out soon, not at the next round. */
  onInterestChanged(): void;
  onConnectionsChanged(delta: 1 | -1): void;
  /** Of these, connections that are on their way. */
  onHalfOpenChanged(delta: 1 | -1): void;
  /** `voter` says that it sees us there. */
  onExternalAddress(address: string, voter: string): void;
}
