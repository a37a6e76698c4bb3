// How many copies of the whole there are, ours counted with those of the peers: as many as of the rarest piece, and as
// a fraction the share of the pieces that there are more of. libtorrent tells the same as `distributed_full_copies` and
// `distributed_fraction`. Kept piece by piece, so that asking costs nothing however many pieces there are.
import { AppError } from '../../shared-protocol/errors.js';
import { hasBit, type Bits } from './bits.js';

export class DistributedCopies {
  /** By number of copies, the pieces that there are so many of. */
  #pieces: number[] = [];

  /** Reads `availability` (peers that have each piece, without those that have everything) and `have` (ours). */
  constructor(
    private readonly availability: Readonly<Uint16Array>,
    private readonly have: Bits,
  ) {
    this.recount();
  }

  /** To be called when there is a copy of the piece more (1) or less (-1) than before. */
  changed(piece: number, by: 1 | -1): void {
    const copies = this.#copiesOf(piece);
    this.#pieces[copies - by]!--;
    this.#pieces[copies] = (this.#pieces[copies] ?? 0) + 1;
  }

  /** To be called when what we have was replaced. O(pieces). */
  recount(): void {
    this.#pieces = this.#counted();
  }

  /** Thousandths of a copy. `seeds`: peers that have everything. */
  perMille(seeds: number): number {
    const pieces = this.#pieces;
    const total = this.availability.length;
    if (total === 0) return seeds * 1000;
    let copies = 0;
    while (pieces[copies]! === 0) copies++;
    return (copies + seeds) * 1000 + Math.floor(((total - pieces[copies]!) * 1000) / total);
  }

  /** @throws AppError `BUG` */
  checkInvariant(): void {
    const counted = this.#counted();
    const wrong = this.#pieces.findIndex((pieces, copies) => pieces !== (counted[copies] ?? 0));
    if (wrong !== -1 || counted.length > this.#pieces.length)
      throw new AppError('BUG', `bug: ${this.#pieces[wrong]} pieces counted with ${wrong} copies`);
  }

  #copiesOf(piece: number): number {
    return this.availability[piece]! + (hasBit(this.have, piece) ? 1 : 0);
  }

  #counted(): number[] {
    const pieces: number[] = [];
    for (let piece = 0; piece < this.availability.length; piece++) {
      const copies = this.#copiesOf(piece);
      while (pieces.length <= copies) pieces.push(0);
      pieces[copies]!++;
    }
    return pieces;
  }
}
