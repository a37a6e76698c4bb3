// A stats table of another process, in shared memory here: rows come packed, and are written where the same reader finds
// them (stats-table.ts). A packed row is the row as it lies in the table, its number in the place of the sequence counter.
import { ChangeLogReader, ChangeLogWriter, type LogMark } from './change-log.js';
import { areFigures, clearLive, ROW_BYTES, type StatsTable } from './stats-table.js';

const ROW_INTS = ROW_BYTES / 4;
const SEQUENCE = 0;
const TAG = 1;
const FIRST_CAPACITY = 64;
/** Rows that a table of another process may have, 128 MB of them: what it says beyond is nonsense. */
export const MAX_ROWS = 1_000_000;
const MAX_TRIES = 1_000;

/** Follows a table and packs what has changed of it since the last look. */
export class RowPacker {
  #ints: Int32Array = new Int32Array(0);
  #changes: ChangeLogReader | null = null;
  #mark: LogMark | null = null;
  /** The sequence counters of the rows as they were packed last. */
  #sent: Int32Array = new Int32Array(0);

  /** At each `stats.table` event. */
  attach({ buffer, changes }: StatsTable): void {
    this.#ints = new Int32Array(buffer);
    this.#changes = new ChangeLogReader(changes);
    this.#mark = null;
    // It may be a larger one with the same rows, or that of another engine: all of them are news.
    this.#sent = new Int32Array(this.#ints.length / ROW_INTS);
  }

  /** All rows are news again: whoever is told has none. */
  forget(): void {
    this.#mark = null;
    this.#sent.fill(0);
  }

  /** Packed rows, at most so many; null: nothing has changed. To be asked again until it is null. */
  take(maxRows: number): Uint8Array | null {
    if (!this.#changes) return null;
    const now = this.#changes.mark();
    const changed = this.#mark && this.#changes.rowsBetween(this.#mark, now);
    const rows = changed ? [...changed] : this.#rowsNotSent();
    if (rows.length > maxRows) {
      // The rest is found again by what was sent.
      rows.length = maxRows;
      this.#mark = null;
    } else this.#mark = now;
    if (rows.length === 0) return null;
    const packed = new Int32Array(rows.length * ROW_INTS);
    rows.forEach((row, place) => this.#pack(row, packed.subarray(place * ROW_INTS, (place + 1) * ROW_INTS)));
    return new Uint8Array(packed.buffer);
  }

  #rowsNotSent(): number[] {
    const rows: number[] = [];
    for (let row = 0; row < this.#sent.length; row++) {
      if (Atomics.load(this.#ints, row * ROW_INTS + SEQUENCE) !== this.#sent[row]) rows.push(row);
    }
    return rows;
  }

  #pack(row: number, into: Int32Array): void {
    const at = row * ROW_INTS;
    for (let tries = 0; tries < MAX_TRIES; tries++) {
      const before = Atomics.load(this.#ints, at + SEQUENCE);
      into.set(this.#ints.subarray(at, at + ROW_INTS));
      if ((before & 1) === 0 && Atomics.load(this.#ints, at + SEQUENCE) === before) {
        this.#sent[row] = before;
        break;
      }
    }
    into[SEQUENCE] = row;
  }
}

/** The table here. One writer. */
export class StatsMirror {
  #buffer: SharedArrayBuffer;
  #ints: Int32Array;
  readonly #changes = new ChangeLogWriter();

  /** `onTable` is told of the first table and of each larger one that replaces it. */
  constructor(private readonly onTable: (table: StatsTable) => void) {
    this.#buffer = new SharedArrayBuffer(FIRST_CAPACITY * ROW_BYTES);
    this.#ints = new Int32Array(this.#buffer);
    onTable(this.table);
  }

  /** Takes rates and peers out of rows, of all by default: nobody tells of them any more. The rest stays as it was told last. */
  rest(rows: Iterable<number> = this.#allRows()): void {
    const packed = new Int32Array(ROW_INTS);
    for (const row of rows) {
      packed.set(this.#ints.subarray(row * ROW_INTS, (row + 1) * ROW_INTS));
      if (packed[SEQUENCE] === 0) continue;
      clearLive(packed);
      this.#write(row, packed);
    }
  }

  /** A copy of a row as it lies here, packed. */
  packed(row: number): Uint8Array {
    const at = row * ROW_INTS;
    return new Uint8Array(this.#ints.slice(at, at + ROW_INTS).buffer);
  }

  get table(): StatsTable {
    return { buffer: this.#buffer, changes: this.#changes.buffer };
  }

  /** Writes packed rows, each where `rowHere` says; false: they are none. */
  take(packed: Uint8Array, rowHere: (row: number, packed: Int32Array) => number = (row) => row): boolean {
    if (packed.length % ROW_BYTES !== 0) return false;
    // In memory of its own: what came may begin at any byte.
    const rows = new Int32Array(new Uint8Array(packed).buffer);
    for (let at = 0; at < rows.length; at += ROW_INTS) {
      if (rows[at]! < 0 || rows[at]! >= MAX_ROWS || !areFigures(rows.subarray(at, at + ROW_INTS))) return false;
    }
    for (let at = 0; at < rows.length; at += ROW_INTS) {
      const packedRow = rows.subarray(at, at + ROW_INTS);
      this.#write(rowHere(rows[at]!, packedRow), packedRow);
    }
    return true;
  }

  *#allRows(): Iterable<number> {
    for (let row = 0; row < this.#ints.length / ROW_INTS; row++) yield row;
  }

  #write(row: number, packed: Int32Array): void {
    while (row * ROW_BYTES >= this.#buffer.byteLength) this.#grow();
    const at = row * ROW_INTS;
    const ints = this.#ints;
    let isNews = false;
    for (let i = TAG; i < ROW_INTS && !isNews; i++) isNews = ints[at + i] !== packed[i];
    if (!isNews) return;
    const sequence = ints[at + SEQUENCE]!;
    Atomics.store(ints, at + SEQUENCE, (sequence + 1) | 0);
    ints.set(packed.subarray(TAG), at + TAG);
    Atomics.store(ints, at + SEQUENCE, (sequence + 2) | 0);
    this.#changes.add(row);
  }

  #grow(): void {
    const larger = new SharedArrayBuffer(this.#buffer.byteLength * 2);
    new Uint8Array(larger).set(new Uint8Array(this.#buffer));
    this.#buffer = larger;
    this.#ints = new Int32Array(larger);
    this.onTable(this.table);
  }
}
