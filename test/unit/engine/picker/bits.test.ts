import t from 'tap';
import {
  bitsFromBitfield,
  clearBit,
  countBits,
  countCommon,
  createBits,
  hasBit,
  lastCommon,
  nextCommon,
  setBit,
  type Bits,
} from '../../../../engine/picker/bits.js';
import { SeededRandom } from '../../../support/seeded-random.js';

function members(bits: Bits, count: number): number[] {
  return Array.from({ length: count }, (_, index) => index).filter((index) => hasBit(bits, index));
}

void t.test('the first bit of a bitfield is the highest; spare bits and missing bytes are nothing', async (t) => {
  t.same(members(bitsFromBitfield(Uint8Array.of(0b1000_0001, 0, 0, 0, 0b0100_1111), 36), 64), [0, 7, 33]);
  t.same(members(bitsFromBitfield(Uint8Array.of(0xff), 100), 128), [0, 1, 2, 3, 4, 5, 6, 7]);
  t.equal(countBits(bitsFromBitfield(new Uint8Array(20).fill(0xff), 97)), 97);
});

void t.test('searching and counting agree with looking at each', async (t) => {
  for (let seed = 1; seed <= 40; seed++) {
    const random = new SeededRandom(seed);
    const count = 1 + random.below(130);
    const a = createBits(count);
    const b = createBits(count);
    for (let n = random.below(count * 2); n > 0; n--) {
      setBit(a, random.below(count));
      setBit(b, random.below(count));
      clearBit(a, random.below(count));
    }
    const inBoth = members(a, count).filter((index) => hasBit(b, index));
    const found: number[] = [];
    for (let at = nextCommon(a, b, 0); at !== -1; at = nextCommon(a, b, at + 1)) found.push(at);
    t.same(found, inBoth, `seed ${seed}`);
    t.equal(lastCommon(a, b), inBoth.at(-1) ?? -1, `seed ${seed}`);
    t.equal(countCommon(a, b), inBoth.length, `seed ${seed}`);
    t.equal(lastCommon(a, null), members(a, count).at(-1) ?? -1, `seed ${seed}`);
    t.equal(countBits(a), members(a, count).length, `seed ${seed}`);
  }
});
