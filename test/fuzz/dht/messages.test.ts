// Any bytes are a message, or refused with a kind; what is read can be written and read again.
import t from 'tap';
import bencode from 'bencode';
import fc from 'fast-check';
import { DATAGRAM_BENCODE_LIMITS } from '../../../engine/dht/constants.js';
import { encodeKrpc, parseKrpc } from '../../../engine/dht/krpc-message.js';
import { SavedState } from '../../../engine/dht/saved-state.js';
import { cpuMsOf } from '../../support/cpu-time.js';
import { fuzzRuns } from '../../support/fuzzing.js';
import { SeededRandom } from '../../support/seeded-random.js';

const silentLog = { debug: () => {}, info: () => {}, warn: () => {}, error: () => {} };
const RUNS = fuzzRuns(5_000);
const hash = Buffer.alloc(20, 0x61);
const SAMPLES = [
  {
    t: 'aa',
    y: 'q',
    q: 'announce_peer',
    ro: 1,
    a: { id: hash, info_hash: hash, port: 7000, token: 'x', implied_port: 1 },
  },
  { t: 'aa', y: 'r', r: { id: hash, nodes: Buffer.alloc(52, 1), values: [Buffer.alloc(6, 1)], token: 'xx' } },
  { t: 'aa', y: 'e', e: [203, 'no'] },
].map((message) => bencode.encode(message));

const mutated = fc
  .tuple(
    fc.constantFrom(...SAMPLES),
    fc.array(fc.tuple(fc.nat(200), fc.integer({ min: 0, max: 255 }), fc.constantFrom('set', 'cut', 'insert')), {
      minLength: 1,
      maxLength: 5,
    }),
  )
  .map(([sample, changes]) => {
    const bytes = [...sample];
    for (const [at, value, what] of changes) {
      if (what === 'set') bytes[at % bytes.length] = value;
      else if (what === 'insert') bytes.splice(at % bytes.length, 0, value);
      else bytes.splice(at % bytes.length, 1);
    }
    return Uint8Array.from(bytes);
  });

void t.test('datagrams', (t) => {
  fc.assert(
    fc.property(fc.oneof(mutated, fc.uint8Array({ maxLength: 300, size: 'max' })), (bytes) => {
      const message = parseKrpc(bytes, DATAGRAM_BENCODE_LIMITS);
      if (message.kind === 'malformed' || message.kind === 'unknownQuery') return true;
      const written = encodeKrpc(message);
      const again = parseKrpc(written, DATAGRAM_BENCODE_LIMITS);
      if (again.kind !== message.kind) return false;
      return Buffer.compare(encodeKrpc(again), written) === 0;
    }),
    { numRuns: RUNS },
  );
  t.end();
});

void t.test('nesting and lengths cost nothing', (t) => {
  for (const text of ['l'.repeat(1_000_000), 'd1:a'.repeat(250_000), '999999999:', `d1:a${'i1e'.repeat(300_000)}`]) {
    const tookMs = cpuMsOf(() => t.equal(parseKrpc(Buffer.from(text), DATAGRAM_BENCODE_LIMITS).kind, 'malformed'));
    // Well under a millisecond; what is not linear takes minutes.
    t.ok(tookMs < 2_000);
  }
  t.end();
});

void t.test('saved nodes', (t) => {
  fc.assert(
    fc.property(fc.uint8Array({ maxLength: 3_000, size: 'max' }), (bytes) => {
      const store = { meta: () => bytes, putMeta: () => Promise.resolve() };
      const nodes = new SavedState({ store, random: new SeededRandom(1), log: silentLog }).nodes();
      return nodes.length <= 300 && nodes.every(({ port }) => port > 0);
    }),
    { numRuns: fuzzRuns(500) },
  );
  t.end();
});
