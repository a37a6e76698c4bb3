// Who spoilt a piece (docs/limits.md 2.13, after libtorrent's smart_ban): of a piece that failed it is remembered who
// sent each block and its SHA-1. When the piece passes later, the blocks that differ were the bad ones. A peer that
// sent two versions of one block lied once at least, whichever was right. Pure; knows pieces, blocks and senders only.

import { DIGEST_BYTES } from '../../hashing/constants.js';

/** Pieces remembered: a few hundred kilobytes at the usual piece lengths. Then the oldest is forgotten. */
const MAX_FAILED_PIECES = 64;
/** Over all of them, for large pieces: 5 MB with the senders. */
const MAX_FAILED_BLOCKS = 256 * 1024;
/** Failures kept of one piece. */
const MAX_FAILURES = 4;

/** One failure of a piece. */
export interface Failure<S> {
  /** The sender of each block; null: unknown. */
  readonly senders: readonly (S | null)[];
  /** {@link DIGEST_BYTES} for each block. */
  readonly digests: Uint8Array;
}

export interface Findings<S> {
  /** Senders of data that is not the torrent's. */
  readonly guilty: ReadonlySet<S>;
  /** Failures about which nothing is left to find out: each with all who had a part in it. */
  readonly settled: readonly ReadonlySet<S>[];
}

export class FailedPieces<S> {
  readonly #pieces = new Map<number, Failure<S>[]>();
  #blocks = 0;

  constructor(private readonly limits = { pieces: MAX_FAILED_PIECES, blocks: MAX_FAILED_BLOCKS }) {}

  has(piece: number): boolean {
    return this.#pieces.has(piece);
  }

  get size(): number {
    return this.#pieces.size;
  }

  /** `settled` are the failures that had to be forgotten, never to be cleared up. */
  onFailed(piece: number, failure: Failure<S>): Findings<S> {
    const earlier = this.#pieces.get(piece) ?? [];
    const guilty = new Set<S>();
    for (const other of earlier) {
      failure.senders.forEach((sender, block) => {
        if (sender !== null && sender === other.senders[block] && differs(failure.digests, other.digests, block))
          guilty.add(sender);
      });
    }
    this.#pieces.delete(piece);
    this.#pieces.set(piece, [...earlier, failure]);
    this.#blocks += failure.senders.length;
    return { guilty, settled: this.#forgetSurplus(piece) };
  }

  /** `digests` of its blocks as they are right. */
  onPassed(piece: number, digests: Uint8Array): Findings<S> {
    const failures = this.#pieces.get(piece) ?? [];
    this.#drop(piece);
    const guilty = new Set<S>();
    for (const failure of failures) {
      failure.senders.forEach((sender, block) => {
        if (sender !== null && differs(failure.digests, digests, block)) guilty.add(sender);
      });
    }
    return { guilty, settled: failures.map(partakers) };
  }

  /** Drops the digests of a piece that passed where there is nothing to compare with. */
  forget(piece: number): Findings<S> {
    const settled = (this.#pieces.get(piece) ?? []).map(partakers);
    this.#drop(piece);
    return { guilty: new Set(), settled };
  }

  #forgetSurplus(newest: number): ReadonlySet<S>[] {
    const forgotten: ReadonlySet<S>[] = [];
    const failures = this.#pieces.get(newest) ?? [];
    if (failures.length > MAX_FAILURES) {
      const [oldest] = failures.splice(0, 1);
      this.#blocks -= oldest!.senders.length;
      forgotten.push(partakers(oldest!));
    }
    while (this.#pieces.size > this.limits.pieces || this.#blocks > this.limits.blocks) {
      const [oldest] = this.#pieces.keys();
      if (oldest === undefined) break;
      forgotten.push(...this.forget(oldest).settled);
    }
    return forgotten;
  }

  #drop(piece: number): void {
    for (const { senders } of this.#pieces.get(piece) ?? []) this.#blocks -= senders.length;
    this.#pieces.delete(piece);
  }
}

function partakers<S>({ senders }: Failure<S>): ReadonlySet<S> {
  return new Set(senders.filter((sender) => sender !== null));
}

function differs(a: Uint8Array, b: Uint8Array, block: number): boolean {
  for (let i = block * DIGEST_BYTES; i < (block + 1) * DIGEST_BYTES; i++) if (a[i] !== b[i]) return true;
  return false;
}
