// Garbage and almost-garbage sent to a live node: it stays, keeps answering, and the package behind its guard never throws.
import t from 'tap';
import bencode, { type BencodeInput } from 'bencode';
import type { Clock } from '../../../engine/environment.js';
import { infoHashFromBytes } from '../../../shared-protocol/ids.js';
import { FUZZ_SEED } from '../../support/fuzzing.js';
import { SeededRandom } from '../../support/seeded-random.js';
import { eventually, startDhtNode } from '../../support/dht-network.js';
import { startStranger } from '../../support/dht-stranger.js';
import { systemClock } from '../../../shared-protocol/clock.js';

const PACKETS = 2_000;
/** Fewer than those that get a source blocked. */
const PER_SOURCE = 45;

type Fields = Readonly<Record<string, BencodeInput>>;

const hash = Buffer.alloc(20, 0x61);
const QUERIES: readonly (readonly [method: string, given: Fields])[] = [
  ['ping', {}],
  ['find_node', { target: hash }],
  ['get_peers', { info_hash: hash, want: ['n4', 'n6'], scrape: 1 }],
  ['announce_peer', { info_hash: hash, port: 7000, token: 'xx', implied_port: 1 }],
  ['put', { token: 'xx', v: ['x'], k: hash, sig: 1, salt: [] }],
];
const REPLY: Fields = { nodes: Buffer.alloc(52, 0x7f), values: [Buffer.alloc(6, 0x7f)], token: 'xx' };
const ODD: readonly BencodeInput[] = [
  '',
  'x',
  0,
  -1,
  1,
  2 ** 40,
  [],
  {},
  [[]],
  { id: hash },
  hash,
  Buffer.alloc(19),
  Buffer.alloc(21),
  Buffer.alloc(26 * 30, 0xff),
  [1, '', 'abc', Buffer.alloc(6), Buffer.alloc(6, 0xff), Buffer.alloc(18), {}],
  { __proto__x: { length: 20 } },
];
const KEYS = ['id', 'target', 'info_hash', 'port', 'token', 'implied_port', 'nodes', 'values', '__proto__', 'length'];

function oneOf<Item>(items: readonly Item[], random: SeededRandom): Item {
  return items[random.below(items.length)]!;
}

/** Some fields with values of another kind. */
function oddFields(fields: Fields, random: SeededRandom): Fields {
  const entries = Object.entries(fields);
  for (let changes = random.below(3); changes > 0; changes--) entries.push([oneOf(KEYS, random), oneOf(ODD, random)]);
  return Object.fromEntries(entries);
}

function oddMessage(random: SeededRandom): Uint8Array {
  const [q, given] = oneOf(QUERIES, random);
  const a = oddFields({ id: hash, ...given }, random);
  const t = 'aa';
  switch (random.below(6)) {
    case 0:
      return bencode.encode({ t, y: 'r', r: oddFields({ id: hash, ...REPLY }, random) });
    case 1:
      return bencode.encode({ t, y: 'e', e: oneOf(ODD, random) });
    case 2:
      return bencode.encode({
        t: oneOf(ODD, random),
        y: oneOf(['q', 'r', 'e', 'x'], random),
        q: oneOf(ODD, random),
        a,
      });
    default:
      return bencode.encode({ t, y: 'q', q, a });
  }
}

/** As it is, or with bytes changed, cut or repeated. */
function mutate(bytes: Uint8Array, random: SeededRandom): Buffer {
  let text = Buffer.from(bytes).toString('latin1');
  for (let changes = random.below(3); changes > 0; changes--) {
    const at = random.below(text.length + 1);
    const cut = random.below(4);
    const inserted = random.below(2) === 0 ? '' : String.fromCharCode(random.below(256)).repeat(1 + random.below(12));
    text = text.slice(0, at) + inserted + text.slice(at + cut);
  }
  return Buffer.from(text, 'latin1');
}

void t.test(`${PACKETS} mutated packets, seed ${FUZZ_SEED}`, async (t) => {
  const random = new SeededRandom(FUZZ_SEED);
  const { node, complaints } = await startDhtNode();
  for (let sent = 0, source = 1; sent < PACKETS; source++) {
    const stranger = await startStranger({ host: `127.0.4.${source}` });
    for (let i = 0; i < PER_SOURCE && sent < PACKETS; i++, sent++) {
      stranger.send(node.port, mutate(oddMessage(random), random));
    }
    t.equal((await stranger.ask(node.port, 'ping'))?.y, 'r', `alive after ${sent}`);
    await stranger.close();
  }
  t.ok(await eventually(() => node.stats().traffic.received >= PACKETS));
  const { packageErrors, malformed, unsolicited, unknownQueries, repliesSent, flooding } = node.stats().traffic;
  t.same({ packageErrors, flooding, complaints }, { packageErrors: 0, flooding: 0, complaints: [] });
  t.ok(malformed > 300 && unsolicited > 20 && unknownQueries > 20 && repliesSent > 100, 'some of each kind');
  await node.close();
});

void t.test(`lookups among nodes that answer with odd fields, seed ${FUZZ_SEED}`, async (t) => {
  const random = new SeededRandom(FUZZ_SEED);
  const hasty: Clock = { ...systemClock, after: (delayMs, callback) => systemClock.after(delayMs / 10, callback) };
  const { node, complaints } = await startDhtNode({ clock: { ...hasty, nowMs: () => 10 * systemClock.nowMs() } });
  const strangers = await Promise.all(
    Array.from({ length: 12 }, (_, i) =>
      startStranger({
        host: `127.0.5.${i + 1}`,
        idByte: 16 * i + 1,
        // The first one is honest, so that there is always somebody left to ask.
        answer: () => (i === 0 ? {} : oddFields(REPLY, random)),
      }),
    ),
  );
  for (const { host, port } of strangers) node.addNode({ host, port });
  t.ok(await eventually(() => node.nodeCount >= 6));
  for (let i = 0; i < 5; i++) node.add(infoHashFromBytes(random.bytes(20)), { port: () => 7000 });
  t.ok(await eventually(() => node.stats().announces === 5), `none is stuck: ${JSON.stringify(node.stats())}`);
  const { traffic, peersFound } = node.stats();
  t.same({ errors: traffic.packageErrors, complaints }, { errors: 0, complaints: [] });
  t.ok(traffic.queriesSent > 50 && peersFound > 0, `${traffic.queriesSent} queries, ${peersFound} peers`);
  await Promise.all([node.close(), ...strangers.map((stranger) => stranger.close())]);
});
