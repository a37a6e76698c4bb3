// Lists from anywhere: whatever comes, in whatever pieces, is a list or one error, the ranges are in order, and they have
// no address that no line names.
import t from 'tap';
import fc from 'fast-check';
import ipaddr from 'ipaddr.js';
import { isIP } from 'node:net';
import { RequestError } from '../../../api/errors.js';
import { readLine } from '../../../api/services/blocklist/list-line.js';
import { readList } from '../../../api/services/blocklist/list-reader.js';
import { RangeLookup } from '../../../shared-protocol/address-ranges.js';
import { fuzzRuns } from '../../support/fuzzing.js';

const ipv4 = fc.ipV4();
const ipv6 = fc.ipV6();
const name = fc.string({ unit: fc.constantFrom(...'ab: -,#;.0/'), maxLength: 12 });
const lines = fc.oneof(
  fc.tuple(name, ipv4, ipv4).map(([text, a, b]) => `${text}:${a}-${b}`),
  fc.tuple(name, ipv6, ipv6).map(([text, a, b]) => `${text}:${a}-${b}`),
  fc.tuple(ipv4, ipv4, fc.integer({ min: 0, max: 300 }), name).map((parts) => {
    const [a, b, level, text] = parts;
    return `${a} - ${b} , ${level} , ${text}`;
  }),
  fc.tuple(fc.oneof(ipv4, ipv6), fc.integer({ min: 0, max: 140 })).map(([a, bits]) => `${a}/${bits}`),
  fc.oneof(ipv4, ipv6, name),
  fc.string({ unit: fc.constantFrom(...'0123456789abcf.:-/, #'), maxLength: 60 }),
);
const text = fc.array(lines, { maxLength: 20 }).map((all) => all.join('\n'));
const bytes = fc.oneof(
  text.map((list) => new Uint8Array(Buffer.from(list, 'latin1'))),
  fc.uint8Array({ maxLength: 300 }),
  fc.uint8Array({ maxLength: 100 }).map((rest) => Uint8Array.from([0x1f, 0x8b, 8, 0, ...rest])),
);

async function* cut(whole: Uint8Array, size: number): AsyncGenerator<Uint8Array> {
  for (let at = 0; at < whole.length; at += size) yield whole.subarray(at, at + size);
}

async function outcomeOf(whole: Uint8Array, size: number): Promise<unknown> {
  try {
    const { ranges, entries, skipped } = await readList(cut(whole, size));
    const words = new Uint32Array(ranges.ipv4);
    for (let at = 1; at < words.length; at++) {
      if (at % 2 === 0 ? words[at]! <= words[at - 1]! + 1 : words[at]! < words[at - 1]!) throw new Error('bug: order');
    }
    return { ipv4: [...words], ipv6: [...new Uint32Array(ranges.ipv6)], entries, skipped };
  } catch (error) {
    const isKnown = error instanceof RequestError || (error instanceof Error && /^Z_/.test(String(Object(error).code)));
    if (!isKnown) throw error;
    return { error: error.message };
  }
}

void t.test('any bytes, in pieces of any size', async () => {
  await fc.assert(
    fc.asyncProperty(bytes, fc.integer({ min: 4, max: 64 }), async (whole, size) => {
      const [one, other] = [await outcomeOf(whole, whole.length || 1), await outcomeOf(whole, size)];
      return JSON.stringify(one) === JSON.stringify(other);
    }),
    { numRuns: fuzzRuns(1_500) },
  );
});

void t.test('a range is between the two addresses that the line names, and has both', async () => {
  fc.assert(
    fc.property(lines, (line) => {
      let isSound = true;
      const kind = readLine(line, {
        addIpv4: (first, last) => (isSound &&= first <= last && first >= 0 && last < 2 ** 32),
        addIpv6: (first, last) => (isSound &&= Buffer.compare(bigEndian(first), bigEndian(last)) <= 0),
      });
      return isSound && ['range', 'allowed', 'nothing', 'bad'].includes(kind);
    }),
    { numRuns: fuzzRuns(10_000) },
  );
});

void t.test('any text is asked for', async () => {
  const lookup = new RangeLookup({ ipv4: new SharedArrayBuffer(8), ipv6: new SharedArrayBuffer(32) });
  const isZero = (host: string) =>
    ipaddr
      .process(host)
      .toByteArray()
      .every((byte) => byte === 0);
  fc.assert(
    fc.property(fc.oneof(fc.string(), ipv4, ipv6, fc.constantFrom('::', '0.0.0.0', '::ffff:0:0')), (host) => {
      const found = lookup.has(host);
      return isIP(host) === 0 || found === isZero(host);
    }),
    { numRuns: fuzzRuns(2_000) },
  );
});

function bigEndian(words: Uint32Array): Buffer {
  const bytes = Buffer.alloc(16);
  words.forEach((word, at) => bytes.writeUInt32BE(word, 4 * at));
  return bytes;
}
