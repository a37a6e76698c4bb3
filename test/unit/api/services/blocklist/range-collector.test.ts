// Compact ranges say the same as the ranges they were made of, and nothing twice.
import t from 'tap';
import fc from 'fast-check';
import { RangeCollector } from '../../../../../api/services/blocklist/range-collector.js';
import { countRanges, RangeLookup, type AddressRanges } from '../../../../../shared-protocol/address-ranges.js';
import { rangesOf } from '../../../../support/address-ranges.js';
import '../../../../support/fuzzing.js';

type Range = readonly [first: number, last: number];

const text = (address: number) => [24, 16, 8, 0].map((shift) => (address >>> shift) & 255).join('.');
const inOrder = ([a, b]: readonly [number, number]): Range => (a <= b ? [a, b] : [b, a]);
const isIn = (ranges: readonly Range[], address: number) =>
  ranges.some(([first, last]) => first <= address && address <= last);

/** Few different values, so that ranges meet, touch and repeat. */
const ipv4 = fc.oneof(
  fc.integer({ min: 0, max: 40 }),
  fc.integer({ min: 2 ** 31 - 20, max: 2 ** 31 + 20 }),
  fc.integer({ min: 2 ** 32 - 20, max: 2 ** 32 - 1 }),
);
const ipv4Ranges = fc.array(fc.tuple(ipv4, ipv4).map(inOrder), { maxLength: 40 });

function checkOrder({ ipv4: shared, ipv6: shared6 }: AddressRanges): boolean {
  const pairs = new Uint32Array(shared);
  for (let at = 2; at < pairs.length; at += 2) if (pairs[at]! <= pairs[at - 1]! + 1) return false;
  const words = new Uint32Array(shared6);
  const value = (at: number) => words.subarray(at, at + 4).reduce((sum, word) => (sum << 32n) | BigInt(word), 0n);
  for (let at = 8; at < words.length; at += 8) if (value(at) <= value(at - 4)) return false;
  return true;
}

void t.test('IPv4: the same as asking every range', async () => {
  fc.assert(
    fc.property(ipv4Ranges, fc.array(ipv4, { minLength: 5, maxLength: 20 }), (ranges, addresses) => {
      const collector = new RangeCollector();
      for (const [first, last] of ranges) collector.addIpv4(first, last);
      const compact = collector.finish();
      const lookup = new RangeLookup(compact);
      return (
        checkOrder(compact) &&
        addresses.every((address) => lookup.has(text(address)) === isIn(ranges, address)) &&
        addresses.every((address) => lookup.has(`::ffff:${text(address)}`) === isIn(ranges, address))
      );
    }),
    { numRuns: 1_000 },
  );
});

void t.test('IPv6: the same as asking every range', async () => {
  const word = fc.constantFrom(0, 1, 2, 2 ** 31, 2 ** 32 - 1);
  const address = fc.tuple(word, word, word, word);
  const value = (words: readonly number[]) => words.reduce((sum, part) => (sum << 32n) | BigInt(part), 0n);
  const spell = (words: readonly number[]) =>
    words.flatMap((part) => [part >>> 16, part & 0xffff].map((group) => group.toString(16))).join(':');
  const isMapped = (words: readonly number[]) => words[0] === 0 && words[1] === 0 && words[2] === 0xffff;
  fc.assert(
    fc.property(fc.array(fc.tuple(address, address), { maxLength: 30 }), fc.array(address), (pairs, asked) => {
      const ranges = pairs.map(([a, b]) => (value(a) <= value(b) ? [a, b] : [b, a]) as [typeof a, typeof b]);
      const collector = new RangeCollector();
      for (const [first, last] of ranges) collector.addIpv6(Uint32Array.from(first), Uint32Array.from(last));
      const compact = collector.finish();
      const lookup = new RangeLookup(compact);
      return (
        checkOrder(compact) &&
        [...asked, ...pairs.flat()].every((words) => {
          const expected = ranges.some(([a, b]) => value(a) <= value(words) && value(words) <= value(b));
          return isMapped(words) || lookup.has(spell(words)) === expected;
        })
      );
    }),
    { numRuns: 500 },
  );
});

void t.test('touching and overlapping ranges are one, whatever their order', async (t) => {
  t.equal(countRanges(rangesOf('1.0.0.5-1.0.0.9', '1.0.0.0-1.0.0.4', '1.0.0.2-1.0.0.7', '1.0.0.9-1.0.0.9')), 1);
  t.equal(countRanges(rangesOf('2001:db8::1-2001:db8::5', '2001:db8::3', '2001:db8::/120')), 1);
  t.equal(countRanges(rangesOf('1.0.0.0', '1.0.0.2', '::1')), 3);
});

void t.test('what repeats itself takes no room; what does not has a limit', async (t) => {
  const collector = new RangeCollector(4_096);
  for (let at = 0; at < 100_000; at++) collector.addIpv4(at % 200, at % 200);
  for (let at = 0; at < 1_000; at++) collector.addIpv4(1_000 + 2 * (at % 200), 1_000 + 2 * (at % 200));
  const first = new Uint32Array(4);
  for (let at = 0; at < 10_000; at++) {
    first[3] = at % 50;
    collector.addIpv6(first, first);
  }
  t.throws(
    () => {
      for (let at = 0; at < 10_000; at++) collector.addIpv4(2 * at, 2 * at);
    },
    { code: 'FETCH_FAILED', message: 'more than 256 separate ranges' },
  );
});

void t.test('the ends of the address space', async (t) => {
  const lookup = new RangeLookup(
    rangesOf('0.0.0.0', '255.255.255.255', '::', 'ffff:ffff:ffff:ffff:ffff:ffff:ffff:ffff'),
  );
  t.ok(lookup.has('0.0.0.0'));
  t.ok(lookup.has('255.255.255.255'));
  t.ok(lookup.has('::'));
  t.ok(lookup.has('ffff:ffff:ffff:ffff:ffff:ffff:ffff:ffff'));
  for (const address of ['0.0.0.1', '255.255.255.254', '::1', 'ffff::', 'no address', '', '1.2.3']) {
    t.notOk(lookup.has(address), address);
  }
  t.ok(new RangeLookup(rangesOf('fe80::/10')).has('fe80::1%eth0'), 'with a zone');
  t.notOk(new RangeLookup(new RangeCollector().finish()).has('1.2.3.4'), 'an empty list has nobody');
});
