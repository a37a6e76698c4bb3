// All connected peers and how many of them have each piece. A peer that has everything is only counted, so it joins and
// leaves in O(1) however many pieces there are; the others are counted piece by piece in `availability`.
import { AppError } from '../../shared-protocol/errors.js';
import { bitsFromBitfield, countBits, countCommon, createBits, hasBit, nextCommon, setBit, type Bits } from './bits.js';
import type { CandidateOrder } from './candidate-order.js';
import { RESORT_DIVISOR } from './constants.js';
import type { DistributedCopies } from './distributed-copies.js';
import { PeerPieces } from './peer-pieces.js';
import type { PeerKey } from './types.js';

export class ConnectedPeers {
  /** Peers that have everything. */
  #seedCount = 0;
  readonly #peers = new Map<PeerKey, PeerPieces>();
  /** Peers that have something, but not everything; an array, for it is gone through with every piece. */
  readonly #partial: PeerPieces[] = [];

  /** Writes `availability` (peers of `#partial` for each piece), tells `order` and `copies`; `missing`: wanted, not verified. */
  constructor(
    private readonly availability: Uint16Array,
    private readonly missing: Bits,
    private readonly order: CandidateOrder,
    private readonly copies: DistributedCopies,
  ) {}

  /** The peer, if it is connected. */
  find(key: PeerKey): PeerPieces | undefined {
    return this.#peers.get(key);
  }

  /** @throws AppError `BUG` when it is not connected */
  get(key: PeerKey): PeerPieces {
    const peer = this.#peers.get(key);
    if (!peer) throw new AppError('BUG', `bug: peer ${key} is not connected`);
    return peer;
  }

  all(): Iterable<PeerPieces> {
    return this.#peers.values();
  }

  /** @throws AppError `BUG` when it is connected already */
  join(key: PeerKey): void {
    if (this.#peers.has(key)) throw new AppError('BUG', `bug: peer ${key} joined twice`);
    this.#peers.set(key, new PeerPieces(key));
  }

  leave(peer: PeerPieces): void {
    this.#forgetPieces(peer);
    this.#peers.delete(peer.key);
  }

  /** Replaces what the peer was known to have. */
  hasBitfield(peer: PeerPieces, bytes: Uint8Array): void {
    this.#forgetPieces(peer);
    const bits = bitsFromBitfield(bytes, this.availability.length);
    const count = countBits(bits);
    if (count === this.availability.length) return this.hasAll(peer);
    if (count === 0) return;
    this.#addPartial(peer, bits);
    peer.count = count;
    this.#recount(peer);
    this.#shiftAvailability(bits, count, 1);
  }

  hasAll(peer: PeerPieces): void {
    if (peer.hasAll) return;
    this.#forgetPieces(peer);
    peer.hasAll = true;
    this.#seedCount++;
  }

  has(peer: PeerPieces, piece: number): void {
    if (peer.has(piece)) return;
    if (peer.count + 1 === this.availability.length) return this.hasAll(peer);
    const bits = peer.bits ?? this.#addPartial(peer, createBits(this.availability.length));
    setBit(bits, piece);
    peer.count++;
    if (hasBit(this.missing, piece)) peer.missingCount++;
    if (this.order.has(piece)) peer.candidateCount++;
    this.availability[piece]!++;
    this.order.availabilityChanged(piece);
    this.copies.changed(piece, 1);
  }

  /** A piece became missing (1) or ceased to be (-1). O(peers). */
  missingChanged(piece: number, by: 1 | -1): void {
    for (const peer of this.#partial) if (hasBit(peer.bits!, piece)) peer.missingCount += by;
  }

  /** A piece became a candidate (1) or ceased to be (-1). O(peers). */
  candidateChanged(piece: number, by: 1 | -1): void {
    for (const peer of this.#partial) if (hasBit(peer.bits!, piece)) peer.candidateCount += by;
  }

  /** `missing` or the order were made anew. O(peers × pieces / 32). */
  recount(): void {
    for (const peer of this.#partial) this.#recount(peer);
  }

  /** Whether a connected peer has the piece. */
  anyHas(piece: number): boolean {
    return this.#seedCount > 0 || this.availability[piece]! > 0;
  }

  /** Whether one that is not on parole has the piece. */
  anyTrustedHas(piece: number): boolean {
    for (const peer of this.#peers.values()) if (!peer.onParole && !peer.snubbed && peer.has(piece)) return true;
    return false;
  }

  /** Peers that have each piece, a copy. */
  totals(): Uint16Array {
    return this.availability.map((partial) => partial + this.#seedCount);
  }

  /** Thousandths of a copy of the whole, ours counted. */
  copiesPerMille(): number {
    return this.copies.perMille(this.#seedCount);
  }

  /** @throws AppError `BUG` */
  checkInvariant(): void {
    const counted = new Uint16Array(this.availability.length);
    let seeds = 0;
    for (const peer of this.#peers.values()) {
      if (peer.hasAll) seeds++;
      const bits = peer.bits;
      if ((bits !== null) !== (this.#partial[peer.partialIndex] === peer) || (bits !== null && peer.hasAll))
        throw new AppError('BUG', `bug: peer ${peer.key} counted in a wrong way`);
      if (bits === null) continue;
      for (let piece = nextCommon(bits, null, 0); piece !== -1; piece = nextCommon(bits, null, piece + 1))
        counted[piece]!++;
      const candidates = this.order.members.reduce((sum, members) => sum + countCommon(bits, members), 0);
      if (
        peer.count !== countBits(bits) ||
        peer.missingCount !== countCommon(bits, this.missing) ||
        peer.candidateCount !== candidates
      )
        throw new AppError('BUG', `bug: counts of peer ${peer.key} are wrong`);
    }
    if (seeds !== this.#seedCount) throw new AppError('BUG', `bug: ${seeds} seeds counted as ${this.#seedCount}`);
    const wrong = counted.findIndex((count, piece) => count !== this.availability[piece]);
    if (wrong !== -1)
      throw new AppError('BUG', `bug: availability of piece ${wrong} is ${this.availability[wrong]}`, { piece: wrong });
    this.copies.checkInvariant();
  }

  #recount(peer: PeerPieces): void {
    const bits = peer.bits!;
    peer.missingCount = countCommon(bits, this.missing);
    peer.candidateCount = this.order.members.reduce((sum, members) => sum + countCommon(bits, members), 0);
    peer.shortlist.length = 0;
  }

  #forgetPieces(peer: PeerPieces): void {
    if (peer.hasAll) {
      peer.hasAll = false;
      this.#seedCount--;
    }
    if (peer.bits === null) return;
    this.#shiftAvailability(peer.bits, peer.count, -1);
    this.#removePartial(peer);
    peer.count = peer.missingCount = peer.candidateCount = 0;
    peer.shortlist.length = 0;
  }

  #addPartial(peer: PeerPieces, bits: Bits): Bits {
    peer.partialIndex = this.#partial.push(peer) - 1;
    return (peer.bits = bits);
  }

  #removePartial(peer: PeerPieces): void {
    const last = this.#partial.pop()!;
    if (last !== peer) {
      this.#partial[peer.partialIndex] = last;
      last.partialIndex = peer.partialIndex;
    }
    peer.partialIndex = -1;
    peer.bits = null;
  }

  #shiftAvailability(bits: Bits, count: number, by: 1 | -1): void {
    const resort = count > this.availability.length / RESORT_DIVISOR;
    if (resort) this.order.markStale();
    for (let piece = nextCommon(bits, null, 0); piece !== -1; piece = nextCommon(bits, null, piece + 1)) {
      this.availability[piece]! += by;
      this.order.availabilityChanged(piece);
      this.copies.changed(piece, by);
    }
  }
}
