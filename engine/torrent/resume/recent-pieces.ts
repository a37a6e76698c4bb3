// The pieces that were verified within the last two intervals of the group commit (docs/limits.md 2.27): should the
// machine fail, these are the ones whose way to the disk is the least certain.
import { SECOND_MS } from '../../environment.js';

/** Twice the interval of the resume keeper. */
export const RECENT_MS = 60 * SECOND_MS;
/** The number of newest pieces kept; no spec value: a record stays small, whatever the speed. */
const MAX_PIECES = 32_768;

interface Batch {
  readonly atMs: number;
  readonly pieces: readonly number[];
}

export class RecentPieces {
  #recorded: Batch[] = [];
  #current: number[] = [];

  /** `pieces`: of the record that was loaded; they count as recent once more. */
  constructor(pieces: readonly number[] = [], nowMs = 0) {
    if (pieces.length > 0) this.#recorded.push({ atMs: nowMs, pieces });
  }

  add(piece: number): void {
    this.#current.push(piece);
  }

  /** For the record that is made now. */
  take(nowMs: number): readonly number[] {
    if (this.#current.length > 0) this.#recorded.push({ atMs: nowMs, pieces: this.#current });
    this.#current = [];
    this.#recorded = this.#recorded.filter(({ atMs }) => nowMs - atMs <= RECENT_MS);
    return this.#recorded.flatMap(({ pieces }) => pieces).slice(-MAX_PIECES);
  }
}
