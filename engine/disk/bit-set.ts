// A fixed number of bits in bytes, lowest bit first, as the part file keeps them.

export class BitSet {
  readonly bytes: Uint8Array;

  constructor(bits: number) {
    this.bytes = new Uint8Array(Math.ceil(bits / 8));
  }

  has(bit: number): boolean {
    return ((this.bytes[bit >>> 3] ?? 0) & (1 << (bit & 7))) !== 0;
  }

  set(bit: number, value: boolean): void {
    const mask = 1 << (bit & 7);
    const byte = this.bytes[bit >>> 3] ?? 0;
    this.bytes[bit >>> 3] = value ? byte | mask : byte & ~mask;
  }

  isEmpty(): boolean {
    return this.bytes.every((byte) => byte === 0);
  }
}
