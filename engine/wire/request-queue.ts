// A peer's requests in order of arrival, with duplicates and cancels found without a search. Requests of one piece
// come together, so the table is by piece and the last piece is kept at hand: per request no hashing (a Map of all
// requests cost 8 % of a seed's CPU).
//
// Invariant: `size` is the number of entries that are neither taken nor cancelled; an entry of a whole block is in
// its piece's table exactly as long as it is in the queue.
import { BLOCK_SIZE_BYTES } from '../environment.js';
import type { OutgoingBlock } from './frame-buffers.js';

interface PieceTable {
  readonly piece: number;
  /** By block; sparse. */
  readonly entries: (OutgoingBlock | undefined)[];
  count: number;
}

/** Taken entries at the front of the array before it is moved together. */
const COMPACT_AFTER = 1_024;
/** The same for cancelled ones: a peer that reads nothing may ask and cancel without end. */
const MAX_CANCELLED = 2_048;

export class RequestQueue {
  #entries: OutgoingBlock[] = [];
  /** Entries that stay in the array until their turn comes. */
  readonly #cancelled = new Set<OutgoingBlock>();
  #head = 0;
  #size = 0;
  readonly #tables = new Map<number, PieceTable>();
  #last: PieceTable | undefined;

  get size(): number {
    return this.#size;
  }

  /** Entries in memory: those queued, and those taken or cancelled that have not been moved out yet. */
  get held(): number {
    return this.#entries.length;
  }

  /** Requests that do not begin on a block boundary are never found. */
  has(piece: number, begin: number): boolean {
    const table = this.#last?.piece === piece ? this.#last : this.#tables.get(piece);
    return table?.entries[begin / BLOCK_SIZE_BYTES] !== undefined;
  }

  /** Not called with a block that is queued. */
  push(piece: number, begin: number, length: number): void {
    const entry = { piece, begin, length };
    if (begin % BLOCK_SIZE_BYTES === 0) {
      const table = this.#tableOf(piece);
      table.entries[begin / BLOCK_SIZE_BYTES] = entry;
      table.count++;
    }
    this.#entries.push(entry);
    this.#size++;
  }

  /** False when it is not queued (any more). */
  cancel(piece: number, begin: number): boolean {
    const entry = this.#tables.get(piece)?.entries[begin / BLOCK_SIZE_BYTES];
    if (!entry) return false;
    this.#cancelled.add(entry);
    this.#forget(entry);
    if (this.#cancelled.size > MAX_CANCELLED) this.#dropCancelled();
    return true;
  }

  /** The oldest request and those behind it that continue it in the torrent, at most `maxBlocks`; all stay queued. */
  peekRun(pieceLength: number, maxBlocks: number): OutgoingBlock[] {
    const run: OutgoingBlock[] = [];
    let next = -1;
    for (let i = this.#head; i < this.#entries.length && run.length < maxBlocks; i++) {
      const entry = this.#entries[i]!;
      if (this.#isCancelled(entry)) continue;
      const offset = entry.piece * pieceLength + entry.begin;
      if (run.length > 0 && offset !== next) break;
      run.push(entry);
      next = offset + entry.length;
      if (entry.length !== BLOCK_SIZE_BYTES) break;
    }
    return run;
  }

  /** Removes the run that `peekRun` has just returned. */
  take(run: readonly OutgoingBlock[]): void {
    for (const entry of run) this.#forget(entry);
    const last = run[run.length - 1];
    while (this.#head < this.#entries.length) {
      const entry = this.#entries[this.#head++]!;
      if (entry === last) break;
      this.#cancelled.delete(entry);
    }
    if (this.#head < COMPACT_AFTER && this.#head < this.#entries.length) return;
    this.#entries = this.#entries.slice(this.#head);
    this.#head = 0;
  }

  /** Empties the queue; returns what was in it. */
  clear(): OutgoingBlock[] {
    const left = this.#entries.slice(this.#head).filter((entry) => !this.#isCancelled(entry));
    this.#entries = [];
    this.#head = 0;
    this.#size = 0;
    this.#cancelled.clear();
    this.#tables.clear();
    this.#last = undefined;
    return left;
  }

  #dropCancelled(): void {
    this.#entries = this.#entries.slice(this.#head).filter((entry) => !this.#cancelled.has(entry));
    this.#head = 0;
    this.#cancelled.clear();
  }

  #isCancelled(entry: OutgoingBlock): boolean {
    return this.#cancelled.size > 0 && this.#cancelled.has(entry);
  }

  #tableOf(piece: number): PieceTable {
    if (this.#last?.piece === piece) return this.#last;
    let table = this.#tables.get(piece);
    if (!table) {
      table = { piece, entries: [], count: 0 };
      this.#tables.set(piece, table);
    }
    this.#last = table;
    return table;
  }

  #forget(entry: OutgoingBlock): void {
    this.#size--;
    if (entry.begin % BLOCK_SIZE_BYTES !== 0) return;
    const table = this.#tableOf(entry.piece);
    table.entries[entry.begin / BLOCK_SIZE_BYTES] = undefined;
    if (--table.count > 0) return;
    this.#tables.delete(entry.piece);
    this.#last = undefined;
  }
}
