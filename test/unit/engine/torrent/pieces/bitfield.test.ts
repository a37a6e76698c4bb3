import t from 'tap';
import fc from 'fast-check';
import { Bitfield, bitfieldBytes } from '../../../../../engine/torrent/pieces/bitfield.js';

void t.test('piece 0 is the most significant bit of the first byte (BEP 3)', async (t) => {
  const bits = new Bitfield(12);
  for (const piece of [0, 7, 8, 11]) bits.set(piece);
  t.same([...bits.bytes], [0b1000_0001, 0b1001_0000]);
  t.same(
    Array.from({ length: 12 }, (_, piece) => bits.has(piece)),
    [true, false, false, false, false, false, false, true, true, false, false, true],
  );
});

void t.test('bits beyond the length are cleared, missing bytes are zero, and the source is copied', async (t) => {
  const source = Uint8Array.of(0xff, 0xff, 0xff);
  const bits = new Bitfield(12, source);
  t.same([...bits.bytes], [0xff, 0xf0]);
  t.equal(bits.count, 12);
  t.equal(bits.isFull, true);
  source.fill(0);
  t.equal(bits.has(11), true);
  t.equal(new Bitfield(12, Uint8Array.of(0xff)).count, 8);
});

void t.test('none and one', async (t) => {
  t.equal(new Bitfield(0).isFull, true);
  t.equal(new Bitfield(0).bytes.length, 0);
  const one = new Bitfield(1);
  t.equal(one.isFull, false);
  one.fill();
  t.same([...one.bytes], [0x80]);
  t.same(
    [0, 1, 8, 9].map((pieces) => bitfieldBytes(pieces)),
    [0, 1, 1, 2],
  );
});

void t.test('one that has all of them is like any other', async (t) => {
  for (const length of [1, 8, 12]) {
    const bits = new Bitfield(length);
    for (let piece = 0; piece < length; piece++) bits.set(piece);
    const told = [...bits.bytes];
    t.same(told, [...new Bitfield(length, Uint8Array.of(0xff, 0xff)).bytes], 'from pieces and from bytes');
    t.equal(bits.has(length), false, 'there are no more');
    t.equal(bits.countBetween(0, length), length);
    const none = new Bitfield(length);
    t.same([bits.countWithout(none), none.countWithout(bits), bits.countWithout(bits)], [length, 0, 0]);
    bits.clear(0);
    t.equal(bits.count, length - 1);
    t.same([bits.has(0), bits.has(length - 1)], [false, length > 1]);
    bits.set(0);
    t.same([...bits.bytes], told);
  }
});

void t.test('behaves as a set of piece numbers', async () => {
  const change = fc.tuple(fc.constantFrom('set', 'clear'), fc.nat(40));
  fc.assert(
    fc.property(fc.integer({ min: 41, max: 50 }), fc.array(change), fc.boolean(), (length, changes, isFull) => {
      const bits = new Bitfield(length);
      const model = new Set<number>();
      if (isFull) bits.fill();
      if (isFull) for (let piece = 0; piece < length; piece++) model.add(piece);
      for (const [kind, piece] of changes) {
        bits[kind](piece);
        if (kind === 'set') model.add(piece);
        else model.delete(piece);
      }
      const again = new Bitfield(length, bits.bytes);
      return (
        bits.count === model.size &&
        again.count === model.size &&
        Array.from({ length }, (_, i) => i).every((i) => bits.has(i) === model.has(i))
      );
    }),
  );
});

void t.test('counts between two pieces as one by one', async () => {
  fc.assert(
    fc.property(fc.uint8Array({ maxLength: 6 }), fc.nat(48), fc.nat(48), (bytes, a, b) => {
      const bits = new Bitfield(bytes.length * 8, bytes);
      const first = Math.min(a, bits.length);
      const end = Math.min(b, bits.length);
      let count = 0;
      for (let i = first; i < end; i++) if (bits.has(i)) count++;
      return bits.countBetween(first, end) === count;
    }),
  );
});
