// Bencode of any shape: what is written is read again, skipping ends where reading ends, and whatever the bytes, the
// scanner says the same of them however they are read.
import t from 'tap';
import fc from 'fast-check';
import { BencodeScanner } from '../../../shared-protocol/bencode-scanner.js';
import {
  decodeBencode,
  decodeBencodePrefix,
  scanBencode,
  type BencodeValue,
} from '../../../engine/metainfo/bencode.js';
import { AppError } from '../../../shared-protocol/errors.js';
import { fuzzRuns } from '../../support/fuzzing.js';

const LIMITS = { maxDepth: 12, maxTokens: 60 };
const GENEROUS = { maxDepth: 100, maxTokens: 100_000 };

const scalar = fc.oneof(
  fc.integer(),
  fc.bigInt({ min: -(2n ** 70n), max: 2n ** 70n }),
  fc.uint8Array({ maxLength: 20 }),
);
const { value: anyValue } = fc.letrec<{ value: BencodeValue }>((tie) => ({
  value: fc.oneof(
    { depthSize: 'medium' },
    scalar,
    fc.array(tie('value'), { maxLength: 5 }),
    fc
      .array(fc.tuple(fc.string({ unit: 'binary-ascii', maxLength: 8 }), tie('value')), { maxLength: 5 })
      .map((entries) => new Map(entries)),
  ),
}));

function encode(value: BencodeValue): string {
  if (typeof value === 'number' || typeof value === 'bigint') return `i${value}e`;
  if (value instanceof Uint8Array) return text(Buffer.from(value).toString('latin1'));
  if (value instanceof Map) return `d${[...value].map(([key, item]) => text(key) + encode(item)).join('')}e`;
  return `l${[...(value as readonly BencodeValue[])].map(encode).join('')}e`;
}

const text = (latin1: string): string => `${latin1.length}:${latin1}`;

/** Bits of bencode put together at random: malformed more often than not. */
const rubble = fc
  .array(
    fc.oneof(
      fc.constantFrom(
        'd',
        'l',
        'e',
        'e',
        'i1e',
        'i-0e',
        'ie',
        'i01e',
        '0:',
        '1:a',
        '01:a',
        '3:a',
        '99:',
        'i9',
        'x',
        ':',
      ),
      fc.constantFrom('d1:a', 'd1:bi1e1:a', 'i12345678901234567890e', `i${'0'.repeat(16)}1e`, `i${'9'.repeat(1_025)}e`),
      fc.string({ unit: 'binary-ascii', maxLength: 3 }),
    ),
    { maxLength: 40 },
  )
  .map((parts) => Buffer.from(parts.join(''), 'latin1'));
const mutated = fc
  .tuple(anyValue, fc.array(fc.tuple(fc.nat(), fc.nat(255)), { maxLength: 3 }))
  .map(([value, changes]) => {
    const bytes = Buffer.from(encode(value), 'latin1');
    for (const [at, byte] of changes) bytes[at % bytes.length] = byte;
    return bytes;
  });

/** Where it ended, or with which words it was refused. */
function outcomeOf(read: () => number): number | string {
  try {
    return read();
  } catch (error) {
    if (error instanceof AppError && error.code === 'TORRENT_INVALID') return error.message;
    throw error;
  }
}

function walk(bytes: Uint8Array): number {
  const scanner = new BencodeScanner(bytes, LIMITS);
  do scanner.next();
  while (scanner.depth > 0);
  return scanner.offset;
}

function skip(bytes: Uint8Array): number {
  const scanner = new BencodeScanner(bytes, LIMITS);
  scanner.skip();
  return scanner.offset;
}

void t.test('round trip', async (t) => {
  fc.assert(
    fc.property(anyValue, fc.uint8Array({ maxLength: 4 }), (value, rest) => {
      const written = encode(value);
      const bytes = Buffer.concat([Buffer.from(written, 'latin1'), rest]);
      const { value: read, end } = decodeBencodePrefix(bytes, GENEROUS);
      return end === written.length && encode(read) === written;
    }),
    { numRuns: fuzzRuns(5_000) },
  );
  t.pass();
});

void t.test('skipping is reading', async (t) => {
  let refused = 0;
  let accepted = 0;
  fc.assert(
    fc.property(fc.oneof(rubble, mutated), (bytes) => {
      const walked = outcomeOf(() => walk(bytes));
      if (typeof walked === 'string') refused++;
      else accepted++;
      return outcomeOf(() => skip(bytes)) === walked;
    }),
    { numRuns: fuzzRuns(10_000) },
  );
  t.ok(refused > 100 && accepted > 100, `${refused} refused, ${accepted} accepted`);
});

void t.test('a scan accepts what decoding accepts, but for keys given twice', async (t) => {
  fc.assert(
    fc.property(fc.oneof(rubble, mutated), (bytes) => {
      const scanned = outcomeOf(() => scanBencode(bytes, LIMITS).end);
      const decoded = outcomeOf(() => decodeBencodePrefix(bytes, LIMITS).end);
      if (typeof scanned === 'string' && scanned.startsWith('bencode: duplicate key')) return true;
      return scanned === decoded;
    }),
    { numRuns: fuzzRuns(10_000) },
  );
  fc.assert(
    fc.property(fc.array(fc.string({ unit: 'binary-ascii', maxLength: 2 }), { maxLength: 12 }), (keys) => {
      const bytes = Buffer.from(`d${keys.map((key) => `${text(key)}le`).join('')}e`, 'latin1');
      const isTwice = new Set(keys).size < keys.length;
      decodeBencode(bytes, GENEROUS);
      return (typeof outcomeOf(() => scanBencode(bytes, GENEROUS).end) === 'string') === isTwice;
    }),
    { numRuns: fuzzRuns(5_000) },
  );
  t.pass();
});
