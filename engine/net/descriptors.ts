// How many descriptors the process may have, and how many of them peers may take (safety.md 2.31).
import { readFileSync } from 'node:fs';

/** Threads, state files, logs, trackers and DHT take about half of it, clients of the API the rest. */
const RESERVED = 128;
const MIN_PEERS = 16;

/** The soft limit from the text of /proc/self/limits; null: unknown. */
export function descriptorLimitFrom(limits: string): number | null {
  const soft = /^Max open files\s+(\d+|unlimited)/m.exec(limits)?.[1];
  if (soft === undefined) return null;
  return soft === 'unlimited' ? Infinity : Number(soft);
}

export function descriptorLimit(): number | null {
  try {
    return descriptorLimitFrom(readFileSync('/proc/self/limits', 'utf8'));
  } catch {
    return null;
  }
}

/** Connections that leave enough for everything else; a listener without descriptors would drop clients too. */
export function peersThatFit(limit: number | null, openFiles: number): number {
  return limit === null ? Infinity : Math.max(MIN_PEERS, limit - openFiles - RESERVED);
}
