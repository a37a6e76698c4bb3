import t from 'tap';
import bencode, { type BencodeInput } from 'bencode';
import { GuardedSocket, type DatagramSocket } from '../../../../engine/dht/guarded-socket.js';
import type { PeerAddress } from '../../../../engine/environment.js';
import { SeededRandom } from '../../../support/seeded-random.js';
import { VirtualClock } from '../../../support/virtual-clock.js';

const HASH = Buffer.alloc(20, 0x61);
const STRANGER = { host: '8.8.8.8', port: 6881 };
const quiet = { debug: () => {}, info: () => {}, warn: () => {}, error: () => {} };

interface Decoded {
  readonly t: Uint8Array;
  readonly a?: { readonly id?: Uint8Array; readonly info_hash?: Uint8Array };
  readonly r?: { readonly nodes?: Uint8Array; readonly values?: readonly Uint8Array[] };
  readonly e?: readonly [number, Uint8Array];
}

function decode(bytes: Uint8Array): Decoded {
  return bencode.decode(bytes) as Decoded;
}

function setUp({ sendFails = false, isAllowed = (address: PeerAddress) => address.host !== '6.6.6.6' } = {}) {
  const clock = new VirtualClock();
  const sent: { bytes: Uint8Array; to: PeerAddress }[] = [];
  /** What the package sees. */
  const seen: Decoded[] = [];
  const heard: string[] = [];
  let onMessage: (bytes: Buffer, from: { address: string; port: number }) => void = () => {};
  const socket: DatagramSocket = {
    on: (event: string, listener: (...args: never[]) => void) => {
      if (event === 'message') onMessage = listener as typeof onMessage;
    },
    send: (bytes, port, host, done) => {
      if (sendFails) throw new RangeError('no');
      sent.push({ bytes, to: { host, port } });
      done(null);
    },
    address: () => ({ address: '0.0.0.0', port: 6881 }),
    close: (done) => done(),
  };
  const guarded = new GuardedSocket({
    clock,
    random: new SeededRandom(2),
    log: quiet,
    socket,
    isAllowed,
    onQuerier: ({ host }) => heard.push(`querier ${host}`),
    onAnswered: ({ host }) => heard.push(`answered ${host}`),
    onUnanswered: ({ host }) => heard.push(`unanswered ${host}`),
  });
  let answer: ((query: Decoded) => void) | null = null;
  guarded.on('message', (bytes: Buffer) => {
    const message = decode(bytes);
    seen.push(message);
    answer?.(message);
  });
  const packageSends = (message: Readonly<Record<string, BencodeInput>>, to: PeerAddress = STRANGER): void => {
    const bytes = bencode.encode(message);
    guarded.send(bytes, 0, bytes.length, to.port, to.host, () => {});
  };
  const arrives = (message: Readonly<Record<string, BencodeInput>> | Buffer, from: PeerAddress = STRANGER): void => {
    const bytes = message instanceof Buffer ? message : Buffer.from(bencode.encode(message));
    onMessage(bytes, { address: from.host, port: from.port });
  };
  return {
    clock,
    guarded,
    sent,
    seen,
    heard,
    packageSends,
    arrives,
    /** The package answers every query with this. */
    answers: (r: Readonly<Record<string, BencodeInput>>, to: PeerAddress = STRANGER) => {
      answer = (query) => packageSends({ t: query.t, y: 'r', r }, to);
    },
    throws: () => {
      answer = () => {
        throw new Error('package');
      };
    },
  };
}

const ping = { t: Buffer.from([0, 1]), y: 'q', q: 'ping', a: { id: HASH } };
const getPeers = { t: 'zz', y: 'q', q: 'get_peers', a: { id: HASH, info_hash: HASH } };

void t.test('a query goes out under another id; its reply comes back under the first, once', (t) => {
  const { sent, seen, heard, packageSends, arrives, guarded } = setUp();
  packageSends(ping);
  const { t: id } = decode(sent[0]!.bytes);
  t.equal(id.length, 4);
  const reply = { t: id, y: 'r', r: { id: HASH } };
  arrives(reply, { host: '8.8.8.8', port: 6882 });
  arrives(reply, { host: '8.8.4.4', port: 6881 });
  arrives({ ...reply, t: Buffer.from([0, 1]) });
  t.equal(seen.length, 0, 'forged');
  arrives(reply);
  arrives(reply);
  t.same(
    seen.map((message) => Buffer.from(message.t)),
    [Buffer.from([0, 1])],
  );
  t.same(heard, ['answered 8.8.8.8']);
  t.equal(guarded.traffic.unsolicited, 4);
  t.end();
});

void t.test('silence is noticed, and a reply that comes too late is none', async (t) => {
  const { clock, sent, seen, heard, packageSends, arrives, guarded } = setUp();
  packageSends(ping);
  await clock.advance(3_000);
  arrives({ t: decode(sent[0]!.bytes).t, y: 'r', r: { id: HASH } });
  guarded.expire();
  t.same(heard, ['unanswered 8.8.8.8']);
  t.equal(seen.length, 0);
});

void t.test('eight queries at once to a public address, whatever its ports; none to what is not allowed', async (t) => {
  const { clock, sent, packageSends } = setUp();
  for (let i = 0; i < 50; i++) packageSends(ping, { host: '8.8.8.8', port: 2_000 + i });
  t.equal(sent.length, 8);
  packageSends(ping, { host: '6.6.6.6', port: 6881 });
  packageSends(ping, { host: '224.0.0.1', port: 6881 });
  t.equal(sent.length, 8);
  await clock.advance(3_000);
  packageSends(ping);
  t.equal(sent.length, 9, 'given up ones make room');
});

void t.test('of a reply, the package sees nodes and peers that its sender may know of', (t) => {
  const { sent, seen, packageSends, arrives } = setUp();
  const node = (host: string, port: number): Buffer =>
    Buffer.concat([HASH, Buffer.from(host.split('.').map(Number)), Buffer.from([port >> 8, port & 255])]);
  const peer = (host: string, port: number): Buffer => node(host, port).subarray(20);
  const good = [node('9.9.9.9', 6881), node('7.7.7.7', 1024)];
  const bad = [
    node('127.0.0.1', 6881),
    node('192.168.0.1', 6881),
    node('0.0.0.0', 6881),
    node('255.255.255.255', 6881),
    node('4.4.4.4', 53),
    node('4.4.4.4', 0),
    node('6.6.6.6', 6881),
    node('9.9.9.9', 6882),
    node('9.9.9.10', 6881),
  ];
  const r = {
    id: HASH,
    nodes: Buffer.concat([good[0]!, ...bad, good[1]!]),
    values: [peer('1.2.3.4', 80), peer('127.0.0.1', 80), peer('1.2.3.4', 0), peer('10.0.0.1', 80)],
  };
  packageSends(getPeers);
  arrives({ t: decode(sent[0]!.bytes).t, y: 'r', r });
  t.same(Buffer.from(seen[0]!.r!.nodes!), Buffer.concat(good));
  t.equal(seen[0]!.r!.values!.length, 1);
  packageSends(getPeers, { host: '127.0.0.2', port: 7000 });
  arrives({ t: decode(sent[1]!.bytes).t, y: 'r', r }, { host: '127.0.0.2', port: 7000 });
  t.equal(seen[1]!.r!.nodes!.length, 4 * 26, 'from near by, what is near by too');
  t.end();
});

void t.test('queries reach the package without the id of who asks; who answers queries is named', (t) => {
  const { seen, heard, arrives } = setUp();
  arrives(getPeers);
  arrives({ ...getPeers, ro: 1 }, { host: '8.8.4.4', port: 6881 });
  arrives(getPeers, { host: '6.6.6.6', port: 6881 });
  t.equal(seen.length, 2, 'none of those that are not allowed');
  t.ok(seen.every(({ a }) => a?.id === undefined && a?.info_hash?.length === 20));
  t.same(heard, ['querier 8.8.8.8']);
  t.end();
});

void t.test('replies: a datagram at most, and four times the query once half the budget is used', async (t) => {
  const { clock, sent, arrives, answers, guarded } = setUp();
  const values = Array.from({ length: 500 }, (_, i) => Buffer.from([1, 2, 3, i >> 8, i & 255, 1]));
  answers({ id: HASH, token: HASH, nodes: Buffer.alloc(26 * 300, 1), values });
  const queryBytes = bencode.encode(getPeers).length;
  for (let i = 0; i < 60; i++) arrives(getPeers, { host: `8.8.${i}.1`, port: 6881 });
  const sizes = sent.map(({ bytes }) => bytes.length);
  t.ok(sizes.every((size) => size <= 1_400));
  t.equal(decode(sent[0]!.bytes).r?.values?.length, 100);
  const firstSmall = sizes.findIndex((size) => size <= 4 * queryBytes);
  const before = sizes.slice(0, firstSmall).reduce((sum, size) => sum + size, 0);
  t.ok(before > 12_000 && before < 13_400, `${before} bytes until replies shrink`);
  t.ok(sizes.slice(firstSmall).every((size) => size <= 4 * queryBytes));
  for (let i = 0; i < 100; i++) arrives(getPeers, { host: `8.9.${i}.1`, port: 6881 });
  t.ok(guarded.traffic.replyBytesSent <= 24_000 && guarded.traffic.overBudget > 0, 'then nothing');
  await clock.advance(60_000);
  arrives(getPeers, { host: '8.10.0.1', port: 6881 });
  t.ok(sent.at(-1)!.bytes.length > 4 * queryBytes, 'recovers');
});

void t.test('an hour of queries: 8,000 bytes a second and the burst', async (t) => {
  const { clock, arrives, answers, guarded } = setUp();
  answers({ id: HASH, token: HASH, nodes: Buffer.alloc(26 * 8, 1) });
  for (let second = 0; second < 60; second++) {
    for (let i = 0; i < 60; i++) arrives(getPeers, { host: `8.${i}.${second}.1`, port: 6881 });
    await clock.advance(1_000);
  }
  const { replyBytesSent } = guarded.traffic;
  t.ok(replyBytesSent <= 24_000 + 60 * 8_000 && replyBytesSent > 400_000, `${replyBytesSent} bytes`);
});

void t.test('datagrams of more than 1,500 bytes, from port 0, and floods are dropped', (t) => {
  const { seen, arrives, guarded } = setUp();
  arrives(Buffer.concat([Buffer.from(bencode.encode(getPeers)), Buffer.alloc(1_500)]));
  arrives(getPeers, { host: '8.8.8.8', port: 0 });
  t.equal(guarded.traffic.malformed, 2);
  for (let i = 0; i < 100; i++) arrives(getPeers, { host: '8.8.4.4', port: 2_000 + i });
  t.equal(seen.length, 49);
  t.equal(guarded.traffic.flooding, 51);
  t.end();
});

void t.test('who is not allowed is not heard, and an answer that was asked for is none', (t) => {
  let blocked = '';
  const { sent, seen, heard, guarded, arrives, packageSends } = setUp({ isAllowed: ({ host }) => host !== blocked });
  packageSends(ping);
  const transaction = decode(sent[0]!.bytes).t;
  blocked = STRANGER.host;
  arrives({ t: transaction, y: 'r', r: { id: HASH } });
  arrives(getPeers);
  arrives(Buffer.from('rubbish'));
  t.same(seen, []);
  t.same(heard, []);
  t.match(guarded.traffic, { received: 3, disallowed: 3, malformed: 0, unsolicited: 0 });
  blocked = '';
  arrives({ t: transaction, y: 'r', r: { id: HASH } });
  t.equal(seen.length, 1);
  t.end();
});

void t.test('answers to our own queries are no flood', (t) => {
  const { sent, seen, packageSends, arrives, guarded } = setUp();
  for (let i = 0; i < 200; i++) {
    packageSends(ping);
    arrives({ t: decode(sent[i]!.bytes).t, y: 'r', r: { id: HASH } });
  }
  t.equal(seen.length, 200);
  t.equal(guarded.traffic.flooding, 0);
  t.end();
});

void t.test('no room for more peers: error 202 instead of the package', (t) => {
  const { sent, seen, arrives, guarded } = setUp();
  const announce = (port: number) => ({
    t: 'zz',
    y: 'q',
    q: 'announce_peer',
    a: { id: HASH, info_hash: HASH, port, token: 'x' },
  });
  for (let port = 1; port <= 8; port++) guarded.storedPeers.stored(HASH.toString('hex'), { host: '8.8.8.8', port });
  arrives(announce(9));
  t.equal(seen.length, 0);
  t.equal(decode(sent[0]!.bytes).e?.[0], 202);
  arrives(announce(3));
  t.equal(seen.length, 1, 'known ones are refreshed');
  t.end();
});

void t.test('what the package throws, and what the socket throws, ends here', (t) => {
  const { arrives, throws, guarded } = setUp();
  throws();
  arrives(getPeers);
  t.equal(guarded.traffic.packageErrors, 1);
  const broken = setUp({ sendFails: true });
  broken.packageSends(ping);
  t.equal(broken.guarded.traffic.sendErrors, 1);
  t.end();
});

void t.test('closed: nothing in, nothing out', (t) => {
  const { sent, seen, packageSends, arrives, guarded } = setUp();
  let closed = 0;
  guarded.on('close', () => closed++);
  guarded.close();
  guarded.close();
  packageSends(ping);
  arrives(getPeers);
  t.same([closed, sent.length, seen.length], [1, 0, 0]);
  t.end();
});
