// Whatever a tracker sends is an outcome with a kind; nothing throws, and nothing impossible comes out.
import t from 'tap';
import bencode from 'bencode';
import fc from 'fast-check';
import { isIP } from 'node:net';
import { parseInfoHash } from '../../../shared-protocol/ids.js';
import type { PeerAddress } from '../../../engine/environment.js';
import type { AnnounceReply } from '../../../engine/tracker/client.js';
import { parseAnnounceReply, parseScrapeReply } from '../../../engine/tracker/http-codec.js';
import { nextAnnounce } from '../../../engine/tracker/next-announce.js';
import { readTrackerUrl, scrapeUrl } from '../../../engine/tracker/tracker-url.js';
import { decodeReply, transactionIdOf, type UdpExpectation } from '../../../engine/tracker/udp-codec.js';
import { fuzzRuns } from '../../support/fuzzing.js';
import { SeededRandom } from '../../support/seeded-random.js';

const RUNS = fuzzRuns(5_000);
const VALID = bencode.encode({
  interval: 1800,
  'min interval': 60,
  complete: 1,
  incomplete: 2,
  peers: Buffer.from('0a00000104d20a00000204d2', 'hex'),
  peers6: Buffer.alloc(18, 0x20),
  'tracker id': 'abc',
  'external ip': Buffer.from([10, 0, 0, 1]),
});

function peerIsPossible({ host, port }: PeerAddress): boolean {
  return isIP(host) > 0 && Number.isInteger(port) && port > 0 && port < 65_536 && host !== '0.0.0.0' && host !== '::';
}

function replyIsPossible(reply: AnnounceReply): boolean {
  const timing = nextAnnounce(0, reply, 0, new SeededRandom(1));
  return reply.peers.every(peerIsPossible) && timing.dueMs >= 54_000 && timing.dueMs <= 95_040_000;
}

/** Valid bytes with some of them changed, cut or repeated. */
const mutated = fc
  .array(fc.tuple(fc.nat(VALID.length), fc.integer({ min: 0, max: 255 }), fc.constantFrom('set', 'cut', 'insert')), {
    minLength: 1,
    maxLength: 6,
  })
  .map((changes) => {
    const bytes = [...VALID];
    for (const [at, value, what] of changes) {
      if (what === 'set') bytes[at % bytes.length] = value;
      else if (what === 'insert') bytes.splice(at, 0, value);
      else bytes.splice(at, 1);
    }
    return Uint8Array.from(bytes);
  });

void t.test('HTTP replies', async (t) => {
  fc.assert(
    fc.property(fc.oneof(mutated, fc.uint8Array({ maxLength: 300, size: 'max' })), (bytes) => {
      const reply = parseAnnounceReply(bytes);
      const scrape = parseScrapeReply(bytes);
      if (reply.kind === 'failed') return reply.code !== 'TRACKER_ABORTED' && reply.message.length <= 200;
      return replyIsPossible(reply) && (scrape.kind === 'failed' || scrape.files.size >= 0);
    }),
    { numRuns: RUNS },
  );
  t.pass(`${RUNS} replies`);
});

void t.test('UDP replies', async (t) => {
  const expectation = fc.constantFrom<UdpExpectation>(
    { kind: 'connect' },
    { kind: 'announce', family: 4 },
    { kind: 'announce', family: 6 },
    { kind: 'scrape', infoHashes: [parseInfoHash('00'.repeat(20)), parseInfoHash('11'.repeat(20))] },
  );
  const packet = fc
    .tuple(fc.integer({ min: 0, max: 4 }), fc.uint8Array({ maxLength: 200, size: 'max' }))
    .map(([action, rest]) => Buffer.concat([Buffer.from([0, 0, 0, action]), rest]));
  const kinds = new Set<string>();
  fc.assert(
    fc.property(packet, expectation, (bytes, expected) => {
      transactionIdOf(bytes);
      const reply = decodeReply(bytes, expected);
      kinds.add(reply.kind);
      if (reply.kind === 'announced') return replyIsPossible(reply.reply);
      return reply.kind !== 'error' || reply.message.length <= 200;
    }),
    { numRuns: RUNS },
  );
  t.same([...kinds].sort(), ['announced', 'connected', 'error', 'invalid', 'scraped'], 'every kind was reached');
});

void t.test('URLs', async (t) => {
  const url = fc.oneof(
    fc.string(),
    fc.webUrl({ withQueryParameters: true, withFragments: true }),
    fc.tuple(fc.constantFrom('udp:', 'http:', 'https:'), fc.string()).map(([scheme, rest]) => `${scheme}//${rest}`),
  );
  fc.assert(
    fc.property(url, (text) => {
      const { transport, host, refusal } = readTrackerUrl(text);
      scrapeUrl(text);
      return transport === 'none' || refusal !== null || host !== '';
    }),
    { numRuns: RUNS },
  );
  t.pass(`${RUNS} URLs`);
});
