// Numbers that nobody can guess: one of a time before is nobody's later.
import type { Random } from '../environment.js';

/** Bytes that a number of JavaScript holds exactly. */
const NUMBER_BYTES = 6;

/** Returns one that is not used. */
export function unguessedNumber(random: Random, isUsed: (number: number) => boolean): number {
  for (;;) {
    const number = random.bytes(NUMBER_BYTES).reduce((sum, byte) => sum * 256 + byte, 0);
    if (!isUsed(number)) return number;
  }
}
