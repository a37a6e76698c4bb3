// A torrent as commands name it, and whose it is.
import type { AccountId, TorrentId } from '../ids.js';

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
  /** Real path below which it may; null: anywhere; '': nowhere. */
  readonly home: string | null;
  /** Real path of the folder whose torrent files are added for it: torrents of others put none there. */
  readonly watched?: string;
}

/** Two torrents of different accounts at the same place. */
export interface TorrentOverlap {
  readonly one: TorrentId;
  readonly other: TorrentId;
  /** Absolute. */
  readonly path: string;
}
