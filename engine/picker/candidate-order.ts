// The pieces that may be opened (wanted, not verified, not in progress), sorted into buckets by priority class, then by
// how many peers have them. Adding, removing and moving a piece is O(1); chance decides within a bucket. Peers that
// have everything are not counted in `availability`: they would shift all pieces alike.
import { AppError } from '../../shared-protocol/errors.js';
import type { Random } from '../environment.js';
import { clearBit, countBits, createBits, hasBit, lastCommon, nextCommon, setBit, type Bits } from './bits.js';
import { AVAILABILITY_RANKS, SHORTLIST_LENGTH, WALK_LIMIT } from './constants.js';
import { EDGE_CLASS, SKIP_CLASS } from './piece-priorities.js';

const BUCKETS = SKIP_CLASS * AVAILABILITY_RANKS;

export class CandidateOrder {
  /** Candidates of each priority class. */
  readonly members: readonly Bits[];
  readonly #buckets: (number[] | undefined)[] = new Array<number[] | undefined>(BUCKETS);
  readonly #filled = createBits(BUCKETS);
  /** Where each candidate is: its bucket (-1: in none) and its index in there. Not valid while stale. */
  readonly #bucketOf: Int32Array;
  readonly #indexOf: Int32Array;
  /** No candidate of the class lies in a word before this one. */
  readonly #firstWord = new Int32Array(SKIP_CLASS);
  /** Without the edges of files, which most torrents have not set apart: no time and no lot is spent on none. */
  readonly #withoutEdges: readonly Bits[];
  #edges = 0;
  #size = 0;
  #stale = false;
  #steps = 0;

  /** Reads, never writes, the two arrays; the caller that changes them says so here. */
  constructor(
    private readonly classes: Readonly<Uint8Array>,
    private readonly availability: Readonly<Uint16Array>,
    private readonly random: Random,
  ) {
    this.members = Array.from({ length: SKIP_CLASS }, () => createBits(classes.length));
    this.#withoutEdges = this.members.slice(EDGE_CLASS + 1);
    this.#bucketOf = new Int32Array(classes.length).fill(-1);
    this.#indexOf = new Int32Array(classes.length);
  }

  get size(): number {
    return this.#size;
  }

  /** Pieces and words looked at so far: a gauge of work. */
  get steps(): number {
    return this.#steps;
  }

  has(piece: number): boolean {
    const priorityClass = this.classes[piece]!;
    return priorityClass !== SKIP_CLASS && hasBit(this.members[priorityClass]!, piece);
  }

  /** The less, the sooner. */
  rank(piece: number): number {
    return this.classes[piece]! * AVAILABILITY_RANKS + Math.min(this.availability[piece]!, AVAILABILITY_RANKS - 1);
  }

  add(piece: number): void {
    const priorityClass = this.classes[piece]!;
    setBit(this.members[priorityClass]!, piece);
    if (piece >>> 5 < this.#firstWord[priorityClass]!) this.#firstWord[priorityClass] = piece >>> 5;
    this.#size++;
    if (priorityClass === EDGE_CLASS) this.#edges++;
    if (!this.#stale) this.#insert(piece);
  }

  remove(piece: number): void {
    const priorityClass = this.classes[piece]!;
    clearBit(this.members[priorityClass]!, piece);
    if (priorityClass === EDGE_CLASS) this.#edges--;
    this.#size--;
    if (!this.#stale) this.#take(piece);
  }

  /** Empties the order: the caller that changes the classes of pieces adds them again afterwards. */
  clear(): void {
    for (const bits of this.members) bits.fill(0);
    this.#size = 0;
    this.#edges = 0;
    this.markStale();
  }

  availabilityChanged(piece: number): void {
    if (this.#stale || !this.has(piece) || this.#bucketOf[piece] === this.rank(piece)) return;
    this.#take(piece);
    this.#insert(piece);
  }

  /** The availability of many pieces changed: the next question sorts anew. */
  markStale(): void {
    this.#stale = true;
  }

  /**
   * The first candidate of the order among `bits` (null: all); -1 when the first {@link WALK_LIMIT} are others.
   * `reversed`: from the end.
   */
  walk(bits: Bits | null, reversed: boolean): number {
    this.#refresh();
    let budget = WALK_LIMIT;
    for (let nth = 0, bucket = this.#nextFilled(-1, reversed); bucket !== -1 && nth < WALK_LIMIT; nth++) {
      // Bucket 0 of a class holds what only peers with everything have.
      const pieces = bits !== null && bucket % AVAILABILITY_RANKS === 0 ? [] : this.#buckets[bucket]!;
      let at = pieces.length > 1 ? this.random.below(pieces.length) : 0;
      for (let seen = 0; seen < pieces.length; seen++) {
        if (budget-- === 0) return -1;
        this.#steps++;
        const piece = pieces[at]!;
        if (bits === null || hasBit(bits, piece)) return piece;
        if (++at === pieces.length) at = 0;
      }
      bucket = this.#nextFilled(bucket, reversed);
    }
    return -1;
  }

  /** Fills `into` with up to {@link SHORTLIST_LENGTH} of the best candidates among `bits`, all of the same rank. */
  shortlist(bits: Bits, reversed: boolean, into: number[]): void {
    into.length = 0;
    const sign = reversed ? -1 : 1;
    const classes = this.#inUse;
    for (let nth = 0; nth < classes.length && into.length === 0; nth++) {
      const members = classes[reversed ? classes.length - 1 - nth : nth]!;
      // A random start instead of a random choice among all: one call however many there are.
      let word = this.random.below(members.length);
      let best = Infinity;
      for (let seen = 0; seen < members.length; seen++) {
        this.#steps++;
        for (let common = members[word]! & bits[word]!; common !== 0;) {
          const bit = Math.clz32(common);
          common &= ~(0x80000000 >>> bit);
          this.#steps++;
          const piece = (word << 5) + bit;
          const rank = sign * this.rank(piece);
          if (rank > best) continue;
          if (rank < best) into.length = 0;
          best = rank;
          if (into.length < SHORTLIST_LENGTH) into.push(piece);
        }
        if (++word === members.length) word = 0;
      }
    }
  }

  /** The candidate with the lowest index in the best class, or the highest in the worst; -1 for none. */
  sequential(bits: Bits | null, reversed: boolean): number {
    for (let nth = 0; nth < SKIP_CLASS; nth++) {
      const priorityClass = reversed ? SKIP_CLASS - 1 - nth : nth;
      const members = this.members[priorityClass]!;
      const from = this.#skipEmptyWords(priorityClass) << 5;
      const piece = reversed ? lastCommon(members, bits) : nextCommon(members, bits, from);
      if (piece !== -1) return piece;
    }
    return -1;
  }

  /** Any candidate of the best class; -1 for none. */
  anyOf(bits: Bits | null): number {
    for (const members of this.#inUse) {
      const start = this.random.below(this.classes.length);
      const piece = nextCommon(members, bits, start);
      if (piece !== -1) return piece;
      const wrapped = nextCommon(members, bits, 0);
      if (wrapped !== -1) return wrapped;
    }
    return -1;
  }

  /** @throws AppError `BUG` */
  checkInvariant(): void {
    this.#refresh();
    let size = 0;
    for (let piece = 0; piece < this.classes.length; piece++) {
      const bucket = this.#bucketOf[piece]!;
      const memberships = this.members.filter((bits) => hasBit(bits, piece)).length;
      if (memberships !== (this.has(piece) ? 1 : 0)) throw new AppError('BUG', `bug: piece ${piece} in a wrong class`);
      if (bucket !== (this.has(piece) ? this.rank(piece) : -1))
        throw new AppError('BUG', `bug: piece ${piece} in ${bucket}`);
      if (bucket === -1) continue;
      size++;
      if (this.#buckets[bucket]![this.#indexOf[piece]!] !== piece)
        throw new AppError('BUG', `bug: piece ${piece} misplaced`);
      if (!hasBit(this.#filled, bucket)) throw new AppError('BUG', `bug: bucket ${bucket} not marked`);
      if (piece >>> 5 < this.#firstWord[this.classes[piece]!]!)
        throw new AppError('BUG', `bug: piece ${piece} passed over`);
    }
    if (countBits(this.members[EDGE_CLASS]!) !== this.#edges) throw new AppError('BUG', `bug: ${this.#edges} edges`);
    const sum = this.#buckets.reduce((total, pieces) => total + (pieces?.length ?? 0), 0);
    if (size !== this.#size || sum !== size)
      throw new AppError('BUG', `bug: order of ${this.#size} holds ${size} in ${sum}`);
  }

  /** Classes that may have candidates, the first first. */
  get #inUse(): readonly Bits[] {
    return this.#edges > 0 ? this.members : this.#withoutEdges;
  }

  #skipEmptyWords(priorityClass: number): number {
    const members = this.members[priorityClass]!;
    let word = this.#firstWord[priorityClass]!;
    while (word < members.length - 1 && members[word] === 0) word++;
    this.#firstWord[priorityClass] = word;
    return word;
  }

  #nextFilled(after: number, reversed: boolean): number {
    if (!reversed) return nextCommon(this.#filled, null, after + 1);
    let bucket = after === -1 ? lastCommon(this.#filled, null) : after - 1;
    while (bucket >= 0 && !hasBit(this.#filled, bucket)) bucket--;
    return bucket;
  }

  #insert(piece: number): void {
    const bucket = this.rank(piece);
    const pieces = (this.#buckets[bucket] ??= []);
    if (pieces.length === 0) setBit(this.#filled, bucket);
    this.#bucketOf[piece] = bucket;
    this.#indexOf[piece] = pieces.length;
    pieces.push(piece);
  }

  #take(piece: number): void {
    const bucket = this.#bucketOf[piece]!;
    const pieces = this.#buckets[bucket]!;
    const index = this.#indexOf[piece]!;
    const last = pieces.pop()!;
    if (last !== piece) {
      pieces[index] = last;
      this.#indexOf[last] = index;
    }
    this.#bucketOf[piece] = -1;
    if (pieces.length === 0) clearBit(this.#filled, bucket);
  }

  #refresh(): void {
    if (!this.#stale) return;
    this.#stale = false;
    for (const pieces of this.#buckets) if (pieces) pieces.length = 0;
    this.#filled.fill(0);
    this.#bucketOf.fill(-1);
    for (const members of this.members)
      for (let piece = nextCommon(members, null, 0); piece !== -1; piece = nextCommon(members, null, piece + 1)) {
        this.#steps++;
        this.#insert(piece);
      }
  }
}
