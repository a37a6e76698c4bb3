// Bits of pieces in BEP 3 order: the most significant bit of the first byte is piece 0. Most torrents of a seed box have all of
// their pieces, and most of their peers as well: then there are no bytes to keep.

export class Bitfield {
  /** null: all bits are set. */
  #bytes: Uint8Array | null;
  #count = 0;

  /** `from` is copied; bits beyond `length` are cleared. */
  constructor(
    readonly length: number,
    from?: Uint8Array,
  ) {
    const bytes = (this.#bytes = new Uint8Array(bitfieldBytes(length)));
    if (!from) return;
    bytes.set(from.subarray(0, bytes.length));
    const spare = bytes.length * 8 - length;
    if (spare > 0) bytes[bytes.length - 1]! &= 0xff << spare;
    for (const byte of bytes) this.#count += POPULATION[byte]!;
    if (this.isFull) this.#bytes = null;
  }

  /** The bits as a bitfield message has them; to be read only, and as they are now. */
  get bytes(): Uint8Array {
    return this.#bytes ?? allSet(this.length);
  }

  /** How many bits are set. */
  get count(): number {
    return this.#count;
  }

  get isFull(): boolean {
    return this.#count === this.length;
  }

  has(index: number): boolean {
    const bytes = this.#bytes;
    return bytes === null ? index < this.length : (bytes[index >> 3]! & (0x80 >> (index & 7))) !== 0;
  }

  /** How many bits are set from `first` to before `end`; whole bytes at a time. */
  countBetween(first: number, end: number): number {
    const bytes = this.#bytes;
    if (bytes === null) return Math.max(0, Math.min(end, this.length) - first);
    let count = 0;
    let index = first;
    for (; index < end && (index & 7) !== 0; index++) if (this.has(index)) count++;
    for (; index + 8 <= end; index += 8) count += POPULATION[bytes[index >> 3]!]!;
    for (; index < end; index++) if (this.has(index)) count++;
    return count;
  }

  /** How many bits are set that the other one, of the same length, has not. */
  countWithout(other: Bitfield): number {
    const [own, theirs] = [this.#bytes, other.#bytes];
    if (theirs === null) return 0;
    if (own === null) return this.length - other.#count;
    let count = 0;
    for (let i = 0; i < own.length; i++) count += POPULATION[own[i]! & ~theirs[i]!]!;
    return count;
  }

  set(index: number): void {
    const bytes = this.#bytes;
    if (bytes === null || this.has(index)) return;
    bytes[index >> 3]! |= 0x80 >> (index & 7);
    if (++this.#count === this.length) this.#bytes = null;
  }

  clear(index: number): void {
    if (!this.has(index)) return;
    const bytes = (this.#bytes ??= allSet(this.length));
    bytes[index >> 3]! &= ~(0x80 >> (index & 7));
    this.#count--;
  }

  fill(): void {
    this.#bytes = null;
    this.#count = this.length;
  }
}

/** Bytes of a bitfield message for so many pieces (BEP 3). */
export function bitfieldBytes(pieceCount: number): number {
  return Math.ceil(pieceCount / 8);
}

function allSet(length: number): Uint8Array {
  const bytes = new Uint8Array(bitfieldBytes(length)).fill(0xff);
  const spare = bytes.length * 8 - length;
  if (spare > 0) bytes[bytes.length - 1]! &= 0xff << spare;
  return bytes;
}

const POPULATION = Uint8Array.from({ length: 256 }, (_, byte) => {
  let count = 0;
  for (let bits = byte; bits > 0; bits &= bits - 1) count++;
  return count;
});
