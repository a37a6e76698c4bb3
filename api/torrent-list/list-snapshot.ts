// What one account is shown of all its torrents at one moment. It never changes and holds nothing of its own: two moments
// share the runs in which nothing happened.
import type { GlobalStats } from '../../shared-protocol/dto/torrents.js';
import type { ListChunk } from './chunk.js';
import { Totals } from './totals.js';

const OPENING_BRACKET = Buffer.from('[');
const CLOSING_BRACKET = Buffer.from(']');

export class ListSnapshot {
  /** Torrents. */
  readonly length: number;
  /** Of the list as JSON. */
  readonly bytes: number;
  readonly totals: GlobalStats;

  constructor(
    readonly runs: readonly ListChunk[],
    /** Differs between any two snapshots, of whatever accounts, that differ. */
    readonly version: string,
  ) {
    const totals = new Totals();
    let [length, bytes] = [0, 0];
    for (const text of runs) {
      totals.add(text.figures.totals);
      length += text.run.length;
      bytes += text.length;
    }
    this.length = length;
    // Brackets; the first run stands without its comma.
    this.bytes = OPENING_BRACKET.length + Math.max(0, bytes - 1) + CLOSING_BRACKET.length;
    this.totals = totals.toDto();
  }

  /** JSON of TorrentDTO[]. */
  get list(): Buffer[] {
    // Each begins with a comma; the first has nothing before it.
    const runs = this.runs.map(({ bytes }, place) => (place === 0 ? bytes.subarray(1) : bytes));
    return [OPENING_BRACKET, ...runs, CLOSING_BRACKET];
  }
}
