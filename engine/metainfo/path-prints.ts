// Fingerprints of paths: 64 bits in two halves, so that half a million paths are told apart without joining, sorting
// or keeping their text. Equal paths have equal prints. That different ones have too, by bad luck, is unlikelier than
// a broken disk; an author who arranges it gets one file more renamed. The same at every start, as renames must be.
import { randomBytes } from 'node:crypto';

/** The text of an element that is hashed: texts that are the same place on disk must become the same text. */
export type Fold = (element: string) => string;

const SEED_LOW = 0x811c9dc5 | 0;
const SEED_HIGH = 0x9747b28c | 0;
/** Odd, with bits all over: each half is spread by another one. */
const SPREAD_LOW = 0x01000193;
const SPREAD_HIGH = 0x5bd1e995;
const SLASH = 0x2f;
/** No file path has so many elements: see MAX_PATH_ELEMENTS. */
const MAX_PREFIXES = 128;

/** Reads one path at a time. `low` and `high` are the print of what was read last. */
export class PathPrinter {
  low = 0;
  high = 0;
  /** Prints of the folders above the last path, the topmost first, two numbers each. */
  readonly prefixes = new Int32Array(2 * MAX_PREFIXES);

  constructor(private readonly fold: Fold) {}

  /** The elements from `first` on; gives the number of folders above the last one. */
  read(path: readonly string[], first: number): number {
    this.low = SEED_LOW;
    this.high = SEED_HIGH;
    const last = path.length - 1;
    for (let i = first; i < last; i++) {
      this.#append(path[i]!);
      this.prefixes[2 * (i - first)] = this.low;
      this.prefixes[2 * (i - first) + 1] = this.high;
    }
    this.#append(path[last]!);
    return last - first;
  }

  /** Another name beside the last path that was read below so many folders. */
  readSibling(folders: number, name: string): void {
    this.low = folders === 0 ? SEED_LOW : this.prefixes[2 * folders - 2]!;
    this.high = folders === 0 ? SEED_HIGH : this.prefixes[2 * folders - 1]!;
    this.#append(name);
  }

  #append(element: string): void {
    const text = this.fold(element);
    let low = Math.imul(this.low ^ SLASH, SPREAD_LOW);
    let high = Math.imul(this.high ^ SLASH, SPREAD_HIGH);
    for (let i = 0; i < text.length; i++) {
      const unit = text.charCodeAt(i);
      low = Math.imul(low ^ unit, SPREAD_LOW);
      high = Math.imul(high ^ unit, SPREAD_HIGH);
      // Multiplication only carries upwards: without this the lower bits would know nothing of the upper ones.
      high ^= high >>> 15;
    }
    this.low = low;
    this.high = high;
  }
}

/** Where a set keeps what: unlike the prints themselves no author can foresee it, nor make all land in one row. */
const CHANCE = new Int32Array(Uint8Array.from(randomBytes(8)).buffer);
const CHANCE_LOW = CHANCE[0]! | 1;
const CHANCE_HIGH = CHANCE[1]! | 1;

/** The print of some bytes, for the same purpose. */
export function printOf(bytes: Uint8Array, start: number, end: number): { low: number; high: number } {
  let low = SEED_LOW;
  let high = SEED_HIGH;
  for (let at = start; at < end; at++) {
    low = Math.imul(low ^ bytes[at]!, SPREAD_LOW);
    high = Math.imul(high ^ bytes[at]!, SPREAD_HIGH);
    high ^= high >>> 15;
  }
  return { low, high };
}

/** A set of prints: open addressing in one flat array, no object for each. */
export class PrintSet {
  #slots: Int32Array;
  #mask: number;
  /** The upper bits of a product are the best mixed ones. */
  #shift: number;
  #count = 0;

  constructor(expected: number) {
    const bits = Math.ceil(Math.log2(Math.max(8, expected * 2)));
    this.#slots = new Int32Array(2 * 2 ** bits);
    this.#mask = 2 ** bits - 1;
    this.#shift = 32 - bits;
  }

  get size(): number {
    return this.#count;
  }

  /** False when it was there already. */
  add(low: number, high: number): boolean {
    if (low === 0 && high === 0) low = 1;
    const at = this.#find(low, high);
    if (this.#slots[at] !== 0 || this.#slots[at + 1] !== 0) return false;
    this.#slots[at] = low;
    this.#slots[at + 1] = high;
    if (++this.#count * 2 > this.#mask) this.#grow();
    return true;
  }

  has(low: number, high: number): boolean {
    if (low === 0 && high === 0) low = 1;
    const at = this.#find(low, high);
    return this.#slots[at] !== 0 || this.#slots[at + 1] !== 0;
  }

  /** Where it is, or the free slot where it belongs. */
  #find(low: number, high: number): number {
    const slots = this.#slots;
    let slot = (Math.imul(low, CHANCE_LOW) + Math.imul(high, CHANCE_HIGH)) >>> this.#shift;
    for (;;) {
      const at = 2 * slot;
      const a = slots[at];
      const b = slots[at + 1];
      if ((a === low && b === high) || (a === 0 && b === 0)) return at;
      slot = (slot + 1) & this.#mask;
    }
  }

  #grow(): void {
    const old = this.#slots;
    this.#slots = new Int32Array(2 * old.length);
    this.#mask = old.length - 1;
    this.#shift--;
    for (let at = 0; at < old.length; at += 2) {
      const low = old[at]!;
      const high = old[at + 1]!;
      if (low === 0 && high === 0) continue;
      const free = this.#find(low, high);
      this.#slots[free] = low;
      this.#slots[free + 1] = high;
    }
  }
}
