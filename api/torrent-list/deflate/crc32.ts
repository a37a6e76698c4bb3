// CRC-32 of two byte strings one after the other, from those of each: so that a checksum of a list is made of those of its
// parts. The polynomial arithmetic of zlib's crc32_combine. Pure.

/** Reflected, as gzip has it (RFC 1952). */
const POLYNOMIAL = 0xedb88320;
/** x to the power of 2^n, for n from 0 on. */
const POWERS = powersOfTwo();

/** The checksum of bytes with the checksum `first` and behind them `secondLength` bytes with the checksum `second`. */
export function combineCrc32(first: number, second: number, secondLength: number): number {
  return (multiply(xToThe(secondLength * 8), first) ^ second) >>> 0;
}

/** The product of two polynomials, modulo the one of the checksum; bit 31 is x to the power of 0. */
function multiply(a: number, b: number): number {
  let product = 0;
  let factor = b;
  for (let bit = 31; bit >= 0; bit--) {
    if ((a >>> bit) & 1) product ^= factor;
    factor = factor & 1 ? (factor >>> 1) ^ POLYNOMIAL : factor >>> 1;
  }
  return product >>> 0;
}

function xToThe(exponent: number): number {
  let power = 0x80000000;
  for (let rest = exponent, n = 0; rest > 0; rest = Math.floor(rest / 2), n++) {
    if (rest % 2 === 1) power = multiply(POWERS[n]!, power);
  }
  return power;
}

function powersOfTwo(): readonly number[] {
  const powers = [0x40000000];
  while (powers.length < 53) powers.push(multiply(powers.at(-1)!, powers.at(-1)!));
  return powers;
}
