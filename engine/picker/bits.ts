// Sets of pieces as words of 32 bits, the first piece in the highest bit: the order of a bitfield message (BEP 3), so
// that `Math.clz32` finds the first piece of a word. Knows nothing of what the sets mean.

export type Bits = Int32Array;

export function createBits(count: number): Bits {
  return new Int32Array((count + 31) >>> 5);
}

export function hasBit(bits: Bits, index: number): boolean {
  return (bits[index >>> 5]! & (0x80000000 >>> (index & 31))) !== 0;
}

export function setBit(bits: Bits, index: number): void {
  bits[index >>> 5]! |= 0x80000000 >>> (index & 31);
}

export function clearBit(bits: Bits, index: number): void {
  bits[index >>> 5]! &= ~(0x80000000 >>> (index & 31));
}

/** Reads a bitfield; missing bytes are zero, spare bits are ignored. */
export function bitsFromBitfield(bytes: Uint8Array, count: number): Bits {
  const bits = createBits(count);
  const length = Math.min(bytes.length, (count + 7) >>> 3);
  for (let i = 0; i < length; i++) bits[i >>> 2]! |= bytes[i]! << (24 - ((i & 3) << 3));
  const spare = bits.length * 32 - count;
  if (spare > 0) bits[bits.length - 1]! &= -1 << spare;
  return bits;
}

export function popCount(word: number): number {
  word -= (word >>> 1) & 0x55555555;
  word = (word & 0x33333333) + ((word >>> 2) & 0x33333333);
  return Math.imul((word + (word >>> 4)) & 0x0f0f0f0f, 0x01010101) >>> 24;
}

export function countBits(bits: Bits): number {
  let count = 0;
  for (let word = 0; word < bits.length; word++) count += popCount(bits[word]!);
  return count;
}

/** Members of both sets. */
export function countCommon(a: Bits, b: Bits): number {
  let count = 0;
  for (let word = 0; word < a.length; word++) count += popCount(a[word]! & b[word]!);
  return count;
}

/** The first member of both sets from `from` on, -1 when there is none. `b` null: everything. */
export function nextCommon(a: Bits, b: Bits | null, from: number): number {
  let word = from >>> 5;
  if (word >= a.length) return -1;
  let common = a[word]! & (b === null ? -1 : b[word]!) & (-1 >>> (from & 31));
  while (common === 0) {
    if (++word === a.length) return -1;
    common = a[word]! & (b === null ? -1 : b[word]!);
  }
  return (word << 5) + Math.clz32(common);
}

/** The last member of both sets, -1 when there is none. `b` null: everything. */
export function lastCommon(a: Bits, b: Bits | null): number {
  for (let word = a.length - 1; word >= 0; word--) {
    const common = a[word]! & (b === null ? -1 : b[word]!);
    if (common !== 0) return (word << 5) + Math.clz32(common & -common);
  }
  return -1;
}
