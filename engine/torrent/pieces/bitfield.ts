// Bits of pieces in BEP 3 order: the most significant bit of the first byte is piece 0.

export class Bitfield {
  readonly bytes: Uint8Array;
  #count = 0;

  /** `from` is copied; bits beyond `length` are cleared. */
  constructor(
    readonly length: number,
    from?: Uint8Array,
  ) {
    this.bytes = new Uint8Array(bitfieldBytes(length));
    if (!from) return;
    this.bytes.set(from.subarray(0, this.bytes.length));
    const spare = this.bytes.length * 8 - length;
    if (spare > 0) this.bytes[this.bytes.length - 1]! &= 0xff << spare;
    for (const byte of this.bytes) this.#count += POPULATION[byte]!;
  }

  /** How many bits are set. */
  get count(): number {
    return this.#count;
  }

  get isFull(): boolean {
    return this.#count === this.length;
  }

  has(index: number): boolean {
    return (this.bytes[index >> 3]! & (0x80 >> (index & 7))) !== 0;
  }

  /** How many bits are set from `first` to before `end`; whole bytes at a time. */
  countBetween(first: number, end: number): number {
    let count = 0;
    let index = first;
    for (; index < end && (index & 7) !== 0; index++) if (this.has(index)) count++;
    for (; index + 8 <= end; index += 8) count += POPULATION[this.bytes[index >> 3]!]!;
    for (; index < end; index++) if (this.has(index)) count++;
    return count;
  }

  /** How many bits are set that the other one, of the same length, has not. */
  countWithout(other: Bitfield): number {
    let count = 0;
    for (let i = 0; i < this.bytes.length; i++) count += POPULATION[this.bytes[i]! & ~other.bytes[i]!]!;
    return count;
  }

  set(index: number): void {
    if (this.has(index)) return;
    this.bytes[index >> 3]! |= 0x80 >> (index & 7);
    this.#count++;
  }

  clear(index: number): void {
    if (!this.has(index)) return;
    this.bytes[index >> 3]! &= ~(0x80 >> (index & 7));
    this.#count--;
  }

  fill(): void {
    for (let i = 0; i < this.length; i++) this.set(i);
  }
}

/** Bytes of a bitfield message for so many pieces (BEP 3). */
export function bitfieldBytes(pieceCount: number): number {
  return Math.ceil(pieceCount / 8);
}

const POPULATION = Uint8Array.from({ length: 256 }, (_, byte) => {
  let count = 0;
  for (let bits = byte; bits > 0; bits &= bits - 1) count++;
  return count;
});
