// How many of the process's descriptors open files and peers may take (docs/limits.md 2.31).
import { apiConnections, descriptorLimit } from '../../shared-protocol/descriptors.js';

/** No more open files than this, however many descriptors the process may have (libtorrent's seedbox preset). */
const MAX_OPEN_FILES = 500;
/** The share of the process's descriptors that files may take; the rest is for peers and the API. */
const OPEN_FILES_SHARE = 0.1;
/** Used where /proc/self/limits cannot be read. */
const FALLBACK_OPEN_FILES = 100;

/** Threads, state files, logs, trackers and DHT. */
const RESERVED = 64;
const MIN_PEERS = 16;

/** How many files may be open at once. `limit`: of the process's descriptors; null: unknown. */
export function openFileLimit(limit = descriptorLimit()): number {
  if (limit === null) return FALLBACK_OPEN_FILES;
  return Math.max(1, Math.min(MAX_OPEN_FILES, Math.floor(limit * OPEN_FILES_SHARE)));
}

/** Connections that leave enough for everything else; a listener without descriptors would drop clients too. */
export function peersThatFit(limit: number | null, openFiles: number): number {
  return limit === null ? Infinity : Math.max(MIN_PEERS, limit - openFiles - RESERVED - apiConnections(limit));
}
