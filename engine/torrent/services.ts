// What a torrent is given: the parts of the session that all torrents share, and how it tells the session what it
// needs. Plain interfaces, so that a torrent can live in a simulated session.
import type { PeerId } from '../../shared-protocol/ids.js';
import type { StatsWriter } from '../../shared-protocol/stats-table.js';
import type { TorrentStore } from '../../storage/types.js';
import type { Disk } from '../disk/types.js';
import type { PieceHasher } from '../hashing/types.js';
import type { Clock, Log, PeerNetwork, Random } from '../ports.js';
import type { AnnounceQueue } from '../tracker/types.js';
import type { CopyBytes } from '../wire/frame-splitter.js';
import type { FrameBufferPool } from '../wire/frame-buffers.js';
import type { SlabRoom } from './slab-room.js';
import type { Torrent } from './torrent.js';

export interface TorrentServices {
  readonly clock: Clock;
  readonly random: Random;
  readonly log: Log;
  readonly network: PeerNetwork;
  readonly disk: Disk;
  readonly store: TorrentStore;
  readonly hasher: PieceHasher;
  readonly room: SlabRoom;
  /** Brings received blocks into the slab. */
  readonly copyPayload: CopyBytes;
  readonly buffers: FrameBufferPool;
  readonly stats: StatsWriter;
  readonly announces: AnnounceQueue;
  readonly identity: SwarmIdentity;
  readonly host: TorrentHost;
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
  cancelCheck(torrent: Torrent): void;
  /** Its resume row is behind; `writtenBytes` since the last call. */
  markDirty(torrent: Torrent, writtenBytes: number): void;
  /** Look again in a while: missing files may be back, a full disk may have room. */
  watchTrouble(torrent: Torrent, troubled: boolean): void;
  /** A peer became interested or left a slot: slots should be dealt out soon, not at the next round. */
  onInterestChanged(): void;
  onConnectionsChanged(delta: 1 | -1): void;
}
