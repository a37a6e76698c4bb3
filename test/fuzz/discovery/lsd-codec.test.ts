// Whatever is sent to the group of BEP 14: null or a possible announcement, never an exception.
import t from 'tap';
import fc from 'fast-check';
import { infoHashFromBytes } from '../../../shared-protocol/ids.js';
import { formatLsdSearch, parseLsdSearch, type LsdSearch } from '../../../engine/lsd/codec.js';
import { fuzzRuns } from '../../support/fuzzing.js';

const RUNS = fuzzRuns(5_000);

const infoHash = fc.uint8Array({ minLength: 20, maxLength: 20 }).map(infoHashFromBytes);
const search: fc.Arbitrary<LsdSearch> = fc.record({
  port: fc.integer({ min: 1, max: 65_535 }),
  infoHashes: fc.uniqueArray(infoHash, { minLength: 1, maxLength: 25 }),
  cookie: fc.option(fc.stringMatching(/^[0-9a-f]{8}$/)),
});
const family = fc.constantFrom<4 | 6>(4, 6);

const lines = fc
  .array(
    fc.oneof(
      fc.constantFrom(
        'BT-SEARCH * HTTP/1.1',
        'Port: 6881',
        `Infohash: ${'ab'.repeat(20)}`,
        'cookie: 1',
        '',
        ':',
        'Port:',
      ),
      fc.string({ maxLength: 60 }),
    ),
    { maxLength: 30 },
  )
  .chain((parts) => fc.constantFrom('\r\n', '\n', '\r').map((end) => Buffer.from(parts.join(end), 'latin1')));

/** Valid datagrams with bytes changed, taken out or put in. */
const mutated = fc
  .tuple(
    family,
    search,
    fc.array(fc.tuple(fc.nat(1_400), fc.nat(255), fc.constantFrom('set', 'cut', 'insert')), {
      minLength: 1,
      maxLength: 6,
    }),
  )
  .map(([family, search, changes]) => {
    const bytes = [...formatLsdSearch(family, search)];
    for (const [at, value, what] of changes) {
      if (what === 'set') bytes[at % bytes.length] = value;
      else bytes.splice(at % bytes.length, what === 'cut' ? 1 : 0, ...(what === 'cut' ? [] : [value]));
    }
    return Uint8Array.from(bytes);
  });

function isPossible({ port, infoHashes }: LsdSearch): boolean {
  const areHashes = infoHashes.every((hash) => /^[0-9a-f]{40}$/.test(hash));
  const isPort = Number.isInteger(port) && port >= 1 && port <= 65_535;
  return isPort && areHashes && infoHashes.length >= 1 && infoHashes.length <= 25;
}

void t.test('anything', async (t) => {
  const anything = fc.oneof(mutated, lines, fc.uint8Array({ maxLength: 2_000, size: 'max' }));
  fc.assert(
    fc.property(anything, (bytes) => {
      const read = parseLsdSearch(bytes);
      return read === null || (isPossible(read) && bytes.length <= 1_400);
    }),
    { numRuns: RUNS },
  );
  t.pass();
});

void t.test('what is formatted is read again, within 1,400 bytes', async (t) => {
  fc.assert(
    fc.property(family, search, (family, search) => {
      const bytes = formatLsdSearch(family, search);
      t.same(parseLsdSearch(bytes), search);
      return bytes.length <= 1_400;
    }),
    { numRuns: fuzzRuns(500) },
  );
});

void t.test('1,400 bytes of the worst take no time', async (t) => {
  const before = performance.now();
  for (const fill of [' ', ':', '\n', '\r', '\t', 'a: ', ': ', '\r\n', 'Infohash: ']) {
    const text = `BT-SEARCH * HTTP/1.1\r\nx:${fill.repeat(1_400)}`;
    for (let i = 0; i < 100; i++) parseLsdSearch(Buffer.from(text.slice(0, 1_396), 'latin1'));
  }
  t.ok(performance.now() - before < 2_000);
});
