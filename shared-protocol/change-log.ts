// Which rows of the stats table were written, in shared memory: a ring that every reader follows from where it was, so that
// a look at a hundred thousand torrents costs what has changed of them. One writer, any number of readers.

/** A power of two. A reader that is further behind looks at all rows: at most that many were written, several times perhaps. */
const ENTRIES = 4096;
const COUNT = 0;
const FIRST = 1;

export class ChangeLogWriter {
  readonly buffer = new SharedArrayBuffer((FIRST + ENTRIES) * Int32Array.BYTES_PER_ELEMENT);
  readonly #ints = new Int32Array(this.buffer);

  /** After the row was written. */
  add(row: number): void {
    const count = this.#ints[COUNT]!;
    Atomics.store(this.#ints, place(count), row);
    Atomics.store(this.#ints, COUNT, (count + 1) | 0);
  }
}

/** How far a reader has come; of one log only. */
export interface LogMark {
  readonly log: ChangeLogReader;
  readonly count: number;
}

export class ChangeLogReader {
  readonly #ints: Int32Array;

  constructor(buffer: SharedArrayBuffer) {
    this.#ints = new Int32Array(buffer);
  }

  mark(): LogMark {
    return { log: this, count: Atomics.load(this.#ints, COUNT) };
  }

  /** The rows that were written between the two; null: they are not known any more. */
  rowsBetween(from: LogMark, to: LogMark): ReadonlySet<number> | null {
    if (from.log !== this || to.log !== this) return null;
    const rows = new Set<number>();
    const written = (to.count - from.count) >>> 0;
    for (let i = 0; i < written && i < ENTRIES; i++) rows.add(Atomics.load(this.#ints, place(from.count + i)));
    // What is written just now takes the place of the oldest entry before it is counted.
    const sinceThen = (this.mark().count - from.count) >>> 0;
    return sinceThen < ENTRIES ? rows : null;
  }
}

/** The count wraps around at 32 bits. */
function place(count: number): number {
  return FIRST + (count & (ENTRIES - 1));
}
