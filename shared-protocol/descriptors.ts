// How many descriptors the process may have (docs/limits.md 2.31), and how many of them connections to the API may
// take. Both threads share them, so both must know.
import { readFileSync } from 'node:fs';

/** The API's share. Each is a page that is open, a script or a proxy's. */
const CONNECTIONS_SHARE = 1 / 8;
const MIN_CONNECTIONS = 64;
/** However many there may be: a connection that is only open costs some 20 KiB. */
const MAX_CONNECTIONS = 4_096;
/** Where the limit is not known. */
const FALLBACK_CONNECTIONS = 256;

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

/** `limit`: of the process's descriptors; null: unknown. */
export function apiConnections(limit: number | null): number {
  if (limit === null) return FALLBACK_CONNECTIONS;
  return Math.max(MIN_CONNECTIONS, Math.min(MAX_CONNECTIONS, Math.floor(limit * CONNECTIONS_SHARE)));
}
