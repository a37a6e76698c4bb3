// Engines that share roots: leases, and torrents that go from one to another.
import type { TorrentId } from '../ids.js';

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
