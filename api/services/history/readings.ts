// How far the counters of each row of the stats table have been read, in arrays: of ten thousand torrents that rest a
// look costs one comparison each. Owns: what is known of a row is of the torrent that has its tag.
import type { Moved } from '../../../storage/traffic-history.js';

const FIRST_ROWS = 1024;

export class Readings {
  #tags = new Int32Array(FIRST_ROWS);
  #sequences = new Int32Array(FIRST_ROWS);
  #down = new Float64Array(FIRST_ROWS);
  #up = new Float64Array(FIRST_ROWS);

  isKnown(row: number, tag: number): boolean {
    return this.#tags[row] === tag;
  }

  /** Whether nothing was written to the row since it was read. */
  isRead(row: number, tag: number, sequence: number): boolean {
    return this.#tags[row] === tag && this.#sequences[row] === sequence;
  }

  /** Notes how far it is read; returns what has come since. A counter that is lower than it was has begun anew: nothing has. */
  advance(row: number, sequence: number, { down, up }: Moved): Moved {
    const moved = { down: Math.max(0, down - this.#down[row]!), up: Math.max(0, up - this.#up[row]!) };
    this.#sequences[row] = sequence;
    this.#down[row] = down;
    this.#up[row] = up;
    return moved;
  }

  /** A torrent has been given the row. */
  begin(row: number, tag: number, { down, up }: Moved): void {
    while (row >= this.#tags.length) this.#grow();
    this.#tags[row] = tag;
    // Odd: of a row that is being written, which no look takes for read.
    this.#sequences[row] = -1;
    this.#down[row] = down;
    this.#up[row] = up;
  }

  #grow(): void {
    const size = 2 * this.#tags.length;
    const [tags, sequences] = [new Int32Array(size), new Int32Array(size)];
    const [down, up] = [new Float64Array(size), new Float64Array(size)];
    tags.set(this.#tags);
    sequences.set(this.#sequences);
    down.set(this.#down);
    up.set(this.#up);
    [this.#tags, this.#sequences, this.#down, this.#up] = [tags, sequences, down, up];
  }
}
