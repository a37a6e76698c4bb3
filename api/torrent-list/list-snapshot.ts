// What one account is shown of all its torrents at one moment. It never changes and holds nothing of its own: two snapshots
// share the chunks in which nothing happened between them.
import type { GlobalStats } from '../../shared-protocol/dto/torrents.js';
import type { ListChunk } from './list-chunk.js';
import { Totals } from './totals.js';

const OPENING_BRACKET = Buffer.from('[');
const CLOSING_BRACKET = Buffer.from(']');

/** A list as it was shown at one moment. Never changed. */
export class ListSnapshot {
  /** Number of torrents. */
  readonly length: number;
  /** Length of its JSON. */
  readonly byteLength: number;
  readonly totals: GlobalStats;

  constructor(
    readonly chunks: readonly ListChunk[],
    /** Differs between any two snapshots, of whatever accounts, that differ. */
    readonly version: string,
  ) {
    const totals = new Totals();
    let [length, byteLength] = [0, 0];
    for (const chunk of chunks) {
      totals.add(chunk.totals);
      length += chunk.torrents.length;
      byteLength += chunk.byteLength;
    }
    this.length = length;
    // Brackets; the first chunk stands without its comma.
    this.byteLength = OPENING_BRACKET.length + Math.max(0, byteLength - 1) + CLOSING_BRACKET.length;
    this.totals = totals.toDto();
  }

  /** JSON of TorrentDTO[], in parts. */
  get json(): Buffer[] {
    // Each chunk begins with a comma; the first has nothing before it.
    const chunks = this.chunks.map(({ bytes }, place) => (place === 0 ? bytes.subarray(1) : bytes));
    return [OPENING_BRACKET, ...chunks, CLOSING_BRACKET];
  }
}
