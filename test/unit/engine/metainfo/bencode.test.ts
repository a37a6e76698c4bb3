// Bencode: the grammar, its limits, and the bombs of docs/limits.md 2.4.
import t from 'tap';
import {
  asBytes,
  asDictionary,
  asInteger,
  asList,
  asText,
  decodeBencode,
  decodeBencodePrefix,
  scanBencode,
  type BencodeValue,
} from '../../../../engine/metainfo/bencode.js';
import { AppError } from '../../../../shared-protocol/errors.js';
import { cpuMsOf } from '../../../support/cpu-time.js';

const LIMITS = { maxDepth: 8, maxTokens: 10_000 };

function bytes(text: string): Uint8Array {
  return Uint8Array.from(Buffer.from(text, 'latin1'));
}

/** The value with strings as text, for comparing. */
function plain(value: BencodeValue): unknown {
  const list = asList(value);
  if (list) return list.map(plain);
  const dictionary = asDictionary(value);
  if (dictionary) return Object.fromEntries([...dictionary].map(([key, item]) => [key, plain(item)]));
  return asText(value) ?? value;
}

void t.test('well-formed values', async (t) => {
  const cases: { name: string; given: string; expected: unknown }[] = [
    { name: 'the example of BEP 3: string', given: '4:spam', expected: 'spam' },
    { name: 'the example of BEP 3: integer', given: 'i-3e', expected: -3 },
    { name: 'the example of BEP 3: list', given: 'l4:spam4:eggse', expected: ['spam', 'eggs'] },
    { name: 'the example of BEP 3: dictionary', given: 'd4:spaml1:a1:bee', expected: { spam: ['a', 'b'] } },
    { name: 'empty string, list and dictionary', given: 'l0:ledee', expected: ['', [], {}] },
    { name: 'leading zeros', given: 'i03e', expected: 3 },
    { name: 'minus zero is zero', given: 'i-0e', expected: 0 },
    { name: 'the largest integer of a double', given: 'i9007199254740991e', expected: 9007199254740991 },
    { name: 'the next one keeps its digits', given: 'i9007199254740993e', expected: 9007199254740993n },
    { name: 'beyond 64 bits', given: 'i-9223372036854775809e', expected: -9223372036854775809n },
    { name: 'many zeros before a small integer', given: `i${'0'.repeat(30)}7e`, expected: 7 },
    { name: 'unsorted keys', given: 'd1:bi1e1:ai2ee', expected: { b: 1, a: 2 } },
    { name: 'of a key given twice the first counts', given: 'd1:ai1e1:ai2ee', expected: { a: 1 } },
    { name: 'bytes behind the value', given: 'i1e\r\n', expected: 1 },
  ];
  for (const { name, given, expected } of cases) {
    t.strictSame(plain(decodeBencode(bytes(given), LIMITS)), expected, name);
  }
});

void t.test('malformed values', async (t) => {
  const cases: { name: string; given: string; expected: RegExp }[] = [
    { name: 'nothing', given: '', expected: /unexpected end at byte 0/ },
    { name: 'an unfinished list', given: 'l', expected: /unexpected end at byte 1/ },
    { name: 'a lone end', given: 'e', expected: /unexpected "e"/ },
    { name: 'an integer without digits', given: 'ie', expected: /integer without digits/ },
    { name: 'a lone minus', given: 'i-e', expected: /integer without digits/ },
    { name: 'a fraction', given: 'i1.0e', expected: /integer without digits or end/ },
    { name: 'an unfinished integer', given: 'i12', expected: /integer without digits or end/ },
    { name: 'an integer of a thousand digits and more', given: `i${'9'.repeat(2000)}e`, expected: /2000 digits/ },
    { name: 'a string longer than what is left', given: '5:spam', expected: /5 bytes where 4 are left/ },
    { name: 'a negative length', given: '-1:a', expected: /expected a value, found byte 0x2d/ },
    { name: 'a length without colon', given: '4spam', expected: /without ":"/ },
    { name: 'a key that is no string', given: 'di1ei2ee', expected: /expected a dictionary key/ },
    { name: 'a key without value', given: 'd1:ae', expected: /unexpected "e"/ },
    { name: 'nesting beyond the limit', given: 'l'.repeat(9) + 'e'.repeat(9), expected: /nested deeper than 8/ },
    { name: 'more tokens than the limit', given: `l${'0:'.repeat(10_000)}e`, expected: /more than 10000 tokens/ },
  ];
  for (const { name, given, expected } of cases) {
    const error = { code: 'TORRENT_INVALID', message: expected };
    t.throws(() => decodeBencode(bytes(given), LIMITS), error, name);
    t.throws(() => scanBencode(bytes(given), LIMITS), error, `${name}, scanned`);
  }
  t.doesNotThrow(() => decodeBencode(bytes('l'.repeat(8) + 'e'.repeat(8)), LIMITS), 'nesting at the limit');
  t.doesNotThrow(() => decodeBencode(bytes(`l${'0:'.repeat(9_999)}e`), LIMITS), 'tokens at the limit');
});

void t.test('scanning refuses duplicate keys at any depth', async (t) => {
  const cases: { name: string; given: string; expected: string | null }[] = [
    { name: 'neighbours', given: 'd1:ai1e1:ai2ee', expected: '"a"' },
    { name: 'found unsorted', given: 'd1:ci1e1:ai2e1:bi3e1:ci4ee', expected: '"c"' },
    { name: 'the last of unsorted ones', given: 'd1:bi1e1:ai2e1:ai3ee', expected: '"a"' },
    { name: 'deep inside', given: 'd1:xld1:ki1e1:ki2eeee', expected: '"k"' },
    { name: 'unsorted without repetition', given: 'd1:ci1e1:ai2e1:bi3ee', expected: null },
    { name: 'the same key in different dictionaries', given: 'd1:ad1:ai1ee1:bd1:ai1eee', expected: null },
    { name: 'the same in neighbours, one of them unsorted', given: 'ld1:bi1e1:ai2eed1:ai1e1:bi2eee', expected: null },
    { name: 'a prefix of another', given: 'd1:ai1e2:aai2ee', expected: null },
  ];
  for (const { name, given, expected } of cases) {
    const scan = () => scanBencode(bytes(given), LIMITS);
    if (expected === null) t.strictSame(scan(), { end: given.length }, name);
    else t.throws(scan, { code: 'TORRENT_INVALID', message: `bencode: duplicate key ${expected}` }, name);
  }
});

void t.test('a prefix tells where it ends', async (t) => {
  const message = bytes('d8:msg_typei1e5:piecei0eeDATA');
  const { value, end } = decodeBencodePrefix(message, LIMITS);
  t.strictSame(plain(value), { msg_type: 1, piece: 0 });
  t.equal(end, message.length - 4);
  t.strictSame(scanBencode(message, LIMITS), { end });
});

void t.test('keys keep every byte, strings are views of the input', async (t) => {
  const input = bytes('d2:\xff\xfe3:abce');
  const dictionary = asDictionary(decodeBencode(input, LIMITS));
  const value = asBytes(dictionary?.get('\xff\xfe'));
  t.equal(value?.buffer, input.buffer);
  t.equal(asText(value), 'abc');
});

void t.test('a view into a larger buffer is read at its own place', async (t) => {
  const whole = bytes('xxxx4:spamyy');
  t.equal(asText(decodeBencode(whole.subarray(4, 10), LIMITS)), 'spam');
  t.throws(() => decodeBencode(whole.subarray(4, 9), LIMITS), { code: 'TORRENT_INVALID' });
});

void t.test('helpers give null for what a value is not', async (t) => {
  t.equal(asInteger(1n), null, 'an inexact integer');
  t.equal(asInteger(undefined), null);
  t.equal(asText(5), null);
  t.equal(asBytes([]), null);
  t.equal(asList(new Map()), null);
  t.equal(asDictionary([]), null);
  t.equal(asInteger(5), 5);
});

void t.test('bombs are refused at once', async (t) => {
  const generous = { maxDepth: 100, maxTokens: 3_000_000 };
  const bombs = [
    { name: 'a million lists', given: 'l'.repeat(1e6) },
    { name: 'a million dictionaries', given: 'd1:a'.repeat(1e6) },
    { name: 'a string of a gigabyte', given: '999999999:' },
    { name: 'a length of a million digits', given: `${'9'.repeat(1e6)}:` },
    { name: 'an integer of a million digits', given: `i${'9'.repeat(1e6)}e` },
    { name: 'more tokens than allowed', given: `l${'0:'.repeat(3_000_001)}e` },
  ].map(({ name, given }) => ({ name, given: bytes(given) }));
  for (const { name, given } of bombs) {
    const before = process.memoryUsage();
    const tookMs = cpuMsOf(() => t.throws(() => scanBencode(given, generous), AppError, name));
    const after = process.memoryUsage();
    // 50 ms is the rule (docs/limits.md 2.4); the rest is room for a busy machine.
    t.ok(tookMs < 3_000, `${name}: ${tookMs.toFixed(1)} ms`);
    const grewBytes = after.arrayBuffers - before.arrayBuffers;
    t.ok(grewBytes < 1024 * 1024, `${name}: ${grewBytes} bytes of buffers`);
  }
});
