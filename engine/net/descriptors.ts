// How many of the process's descriptors peers may take (safety.md 2.31).
import { apiConnections } from '../../shared-protocol/descriptors.js';

/** Threads, state files, logs, trackers and DHT. */
const RESERVED = 64;
const MIN_PEERS = 16;

/** Connections that leave enough for everything else; a listener without descriptors would drop clients too. */
export function peersThatFit(limit: number | null, openFiles: number): number {
  return limit === null ? Infinity : Math.max(MIN_PEERS, limit - openFiles - RESERVED - apiConnections(limit));
}
