// What one account is shown of all its torrents at one moment. It never changes and holds nothing of its own: two moments
// share the runs in which nothing happened.
import type { GlobalStats } from '../../shared-protocol/dto/torrents.js';
import type { RunBytes } from './run-bytes.js';

const OPENING_BRACKET = Buffer.from('[');
const CLOSING_BRACKET = Buffer.from(']');

export class ListSnapshot {
  readonly length: number;

  constructor(
    readonly runs: readonly RunBytes[],
    /** Differs between any two snapshots, of whatever accounts, that differ. */
    readonly version: string,
    readonly totals: GlobalStats,
  ) {
    this.length = runs.reduce((sum, { run }) => sum + run.length, 0);
  }

  /** JSON of TorrentDTO[]. */
  get list(): Buffer[] {
    // Each begins with a comma; the first has nothing before it.
    const runs = this.runs.map(({ bytes }, place) => (place === 0 ? bytes.subarray(1) : bytes));
    return [OPENING_BRACKET, ...runs, CLOSING_BRACKET];
  }
}

export function bytesIn(parts: readonly Uint8Array[]): number {
  return parts.reduce((sum, { length }) => sum + length, 0);
}
