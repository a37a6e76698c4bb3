// BEP 11 between two of us, byte for byte by libtorrent's reading of it, and against peers that send too much, too
// often or rubbish (docs/limits.md 2.17).
import t from 'tap';
import bencode, { type BencodeInput } from 'bencode';
import { parseInfoHash, parsePeerId } from '../../../../shared-protocol/ids.js';
import { createPexExtension, type PexExchange, type PexMessage } from '../../../../engine/pex/extension.js';
import { MINUTE_MS, SECOND_MS, type PeerAddress } from '../../../../engine/environment.js';
import { extended, extendedHandshake, handshake } from '../../../support/frames.js';
import { MemoryNetwork } from '../../../support/memory-network.js';
import { RecordedConnection } from '../../../support/recorded-connection.js';
import { ScriptedPeer, settle } from '../../../support/scripted-peer.js';
import { VirtualClock } from '../../../support/virtual-clock.js';
import { readAsLibtorrent } from '../wire/pex-reading.js';

const INFO_HASH = parseInfoHash('0123456789abcdef0123456789abcdef01234567');
const US = parsePeerId('aa'.repeat(20));
const THEM = parsePeerId('bb'.repeat(20));

const NO_FLAGS = {
  prefersEncryption: false,
  isSeed: false,
  supportsUtp: false,
  supportsHolepunch: false,
  isReachable: false,
};
const flagged = (flags: Partial<typeof NO_FLAGS>): typeof NO_FLAGS => ({ ...NO_FLAGS, ...flags });
const at = (host: string, port: number): PeerAddress => ({ host, port });
const plain = (host: string, port: number) => ({ address: at(host, port), flags: NO_FLAGS });
const ipv4 = (n: number): string => `10.0.${n >> 8}.${n & 255}`;

class Side {
  readonly heard: { added: PexMessage['added']; dropped: PexMessage['dropped'] }[] = [];
  readonly invalid: string[] = [];
  supports = 0;
  exchange: PexExchange | null = null;
  readonly extension;

  constructor(readonly clock = new VirtualClock()) {
    this.extension = createPexExtension(clock, {
      onExchange: (exchange) => (this.exchange = exchange),
      onSupported: () => this.supports++,
      onPeers: (added, dropped) => void this.heard.push({ added, dropped }),
      onInvalid: (reason) => void this.invalid.push(reason),
    });
  }

  join(socket: ConstructorParameters<typeof RecordedConnection>[0], direction: 'incoming' | 'outgoing') {
    const peerId = direction === 'outgoing' ? US : THEM;
    return new RecordedConnection(socket, { direction, infoHash: INFO_HASH, peerId, extension: this.extension });
  }
}

/** We, with someone raw at the other end who has `ut_pex` under the id 7. */
async function meetRaw(m: Readonly<Record<string, number>> | null = { ut_pex: 7 }) {
  const [opener, accepted] = new MemoryNetwork().pair();
  const us = new Side();
  const connection = us.join(opener, 'outgoing');
  const peer = new ScriptedPeer(accepted);
  peer.send(handshake({ infoHash: INFO_HASH, peerId: THEM }));
  if (m) peer.send(extendedHandshake({ m }));
  await settle();
  return { us, peer, connection };
}

const message = (fields: Readonly<Record<string, BencodeInput>>): Buffer => extended(1, bencode.encode(fields));

/** What the raw peer got under its id, decoded. */
function received(peer: ScriptedPeer, id = 7) {
  return peer.frames
    .filter((frame) => frame.id === 20 && frame.payload[0] === id)
    .map((frame) => readAsLibtorrent(frame.payload.subarray(1)));
}

void t.test('what one side sends is what the other hears', async (t) => {
  const [opener, accepted] = new MemoryNetwork().pair();
  const [us, them] = [new Side(), new Side()];
  us.join(opener, 'outgoing');
  const theirs = them.join(accepted, 'incoming');
  await settle();
  t.same([us.supports, them.supports, us.exchange?.supported], [1, 1, true]);
  const sent: PexMessage = {
    added: [
      { address: at('192.0.2.1', 6881), flags: flagged({ prefersEncryption: true, isSeed: true }) },
      { address: at('192.0.2.2', 65_535), flags: flagged({ supportsUtp: true, supportsHolepunch: true }) },
      { address: at('2001:db8::1', 1), flags: flagged({ isReachable: true, isSeed: true }) },
      plain('2001:db8:0:1::2', 443),
    ],
    dropped: [at('198.51.100.9', 80), at('2001:db8::bad', 51_413)],
  };
  us.exchange?.send(sent);
  await settle();
  t.same(them.heard, [sent]);
  t.same([us.invalid, them.invalid], [[], []]);
  t.equal(theirs.connection.closed, false);
});

void t.test('the bytes, by BEP 11 and by how libtorrent reads them', async (t) => {
  const { us, peer } = await meetRaw();
  t.match(peer.extendedHandshake, { m: { ut_pex: 1 } });
  us.exchange?.send({
    added: [
      { address: at('1.2.3.4', 0x1ae1), flags: flagged({ isSeed: true }) },
      { address: at('5.6.7.8', 1), flags: flagged({ prefersEncryption: true, isReachable: true }) },
      { address: at('::1', 2), flags: flagged({ supportsUtp: true, supportsHolepunch: true }) },
    ],
    dropped: [at('9.9.9.9', 258), at('2001:db8::', 3)],
  });
  await settle();
  const payload = peer.frames.at(-1)?.payload ?? Buffer.alloc(0);
  const expected = Buffer.concat([
    Buffer.from('\x07d5:added12:\x01\x02\x03\x04\x1a\xe1\x05\x06\x07\x08\x00\x01', 'latin1'),
    Buffer.from('7:added.f2:\x02\x11', 'latin1'),
    Buffer.from(`6:added618:${'\0'.repeat(15)}\x01\x00\x028:added6.f1:\x0c`, 'latin1'),
    Buffer.from('7:dropped6:\x09\x09\x09\x09\x01\x02', 'latin1'),
    Buffer.from(`8:dropped618:\x20\x01\x0d\xb8${'\0'.repeat(12)}\x00\x03e`, 'latin1'),
  ]);
  t.equal(payload.toString('latin1'), expected.toString('latin1'));
  t.same(received(peer), [
    { added: ['1.2.3.4:6881/2', '5.6.7.8:1/17', '[::1]:2/12'], dropped: ['9.9.9.9:258', '[2001:db8::]:3'] },
  ]);
});

void t.test('nothing to say is not said', async (t) => {
  const { us, peer } = await meetRaw();
  const before = peer.frames.length;
  us.exchange?.send({ added: [], dropped: [] });
  // Neither is what cannot be: a name, no port.
  us.exchange?.send({ added: [plain('example.org', 1), plain('1.2.3.4', 0)], dropped: [at('', 5)] });
  await settle();
  t.equal(peer.frames.length, before);
});

void t.test('each message stands for itself, with at most 50 of each', async (t) => {
  const { us, peer } = await meetRaw();
  const many = Array.from({ length: 60 }, (_, i) => (i % 2 ? plain(ipv4(i), 1) : plain(`2001:db8::${i + 1}`, 1)));
  us.exchange?.send({ added: many, dropped: many.map(({ address }) => at(address.host, 2)) });
  us.exchange?.send({ added: [plain('1.1.1.1', 1)], dropped: [] });
  await settle();
  const [first, second] = received(peer);
  t.same([first?.added.length, first?.dropped.length], [50, 50]);
  t.same(second, { added: ['1.1.1.1:1/0'], dropped: [] }, 'nothing is left over from the first');
});

void t.test('what a peer told us may be told back, as the roster knows best', async (t) => {
  const { us, peer } = await meetRaw();
  peer.send(message({ added: Buffer.from([1, 2, 3, 4, 0, 5]), dropped: Buffer.from([1, 1, 1, 1, 0, 5]) }));
  await settle();
  us.exchange?.send({ added: [plain('1.2.3.4', 5)], dropped: [at('1.1.1.1', 5)] });
  await settle();
  t.same(received(peer), [{ added: ['1.2.3.4:5/0'], dropped: ['1.1.1.1:5'] }]);
});

void t.test('support is told once, and follows the handshakes', async (t) => {
  const { us, peer } = await meetRaw(null);
  us.exchange?.send({ added: [plain('1.1.1.1', 1)], dropped: [] });
  peer.send(extendedHandshake({ m: { ut_metadata: 3 } }));
  await settle();
  t.same([us.supports, us.exchange?.supported], [0, false], 'nobody knows before it says so');
  for (const [id, supported] of [
    [5, true],
    [0, false],
    [256, false],
    [-1, false],
    [2 ** 40, false],
    [6, true],
  ] as const) {
    peer.send(extendedHandshake({ m: { ut_pex: id } }));
    await settle();
    t.equal(us.exchange?.supported, supported, `id ${id}`);
    us.exchange?.send({ added: [plain('1.1.1.1', 1)], dropped: [] });
    await settle();
  }
  t.equal(us.supports, 1);
  t.same([received(peer, 5).length, received(peer, 6).length], [1, 1]);
  t.equal(peer.frames.filter(({ id }) => id === 20).length, 3, 'our handshake and those two, nothing else');
});

void t.test('flags that are missing or too few are 0; unknown bits and keys are ignored', async (t) => {
  const { us, peer } = await meetRaw();
  const two = Buffer.from([1, 1, 1, 1, 0, 1, 2, 2, 2, 2, 0, 2]);
  peer.send(message({ added: two }));
  peer.send(message({ added: two, 'added.f': Buffer.of(0xff), x: [1, { y: 2 }] }));
  peer.send(message({ added: two, 'added.f': Buffer.of(0xe0, 0x02, 0x02) }));
  await settle();
  const all = flagged(Object.fromEntries(Object.keys(NO_FLAGS).map((name) => [name, true])));
  t.same(
    us.heard.map(({ added }) => added.map(({ flags }) => flags)),
    [
      [NO_FLAGS, NO_FLAGS],
      [all, NO_FLAGS],
      [NO_FLAGS, flagged({ isSeed: true })],
    ],
  );
  t.same(us.invalid, []);
});

void t.test('port 0 is left out, its flags with it; IPv4 in IPv6 is IPv4; empty messages are no news', async (t) => {
  const { us, peer } = await meetRaw();
  peer.send(message({ added: Buffer.from([1, 1, 1, 1, 0, 0, 2, 2, 2, 2, 0, 1]), 'added.f': Buffer.of(0, 2) }));
  const mapped = Buffer.from('00000000000000000000ffff010203041ae1', 'hex');
  peer.send(message({ added6: mapped, dropped6: mapped }));
  peer.send(message({ added: Buffer.alloc(6) }));
  peer.send(message({ added: Buffer.alloc(0), dropped: Buffer.alloc(0) }));
  peer.send(message({}));
  await settle();
  t.same(us.heard, [
    { added: [{ address: at('2.2.2.2', 1), flags: flagged({ isSeed: true }) }], dropped: [] },
    { added: [plain('1.2.3.4', 6881)], dropped: [at('1.2.3.4', 6881)] },
  ]);
  t.same(us.invalid, []);
});

void t.test('of more than 50 the rest is ignored, with room for both families', async (t) => {
  const compact4 = (count: number): Buffer =>
    Buffer.concat(Array.from({ length: count }, (_, i) => Buffer.from([10, 0, i >> 8, i & 255, 0, 1])));
  const compact6 = (count: number): Buffer =>
    Buffer.concat(
      Array.from({ length: count }, (_, i) => Buffer.from([...Buffer.alloc(14, 32), i >> 8, i & 255, 0, 1])),
    );
  for (const { v4, v6, kept4, kept6 } of [
    { v4: 5_000, v6: 0, kept4: 50, kept6: 0 },
    { v4: 0, v6: 2_000, kept4: 0, kept6: 50 },
    { v4: 500, v6: 500, kept4: 25, kept6: 25 },
    { v4: 10, v6: 500, kept4: 10, kept6: 40 },
    { v4: 500, v6: 3, kept4: 47, kept6: 3 },
  ]) {
    const { us, peer } = await meetRaw();
    const [a, b] = [compact4(v4), compact6(v6)];
    peer.send(message({ added: a, added6: b, dropped: a, dropped6: b }));
    await settle();
    const { added, dropped } = us.heard[0] ?? { added: [], dropped: [] };
    for (const hosts of [added.map(({ address }) => address.host), dropped.map(({ host }) => host)]) {
      t.same(
        [hosts.filter((h) => !h.includes(':')).length, hosts.filter((h) => h.includes(':')).length],
        [kept4, kept6],
      );
    }
    t.equal(added[0]?.address.host, v4 > 0 ? '10.0.0.0' : added[0]?.address.host, 'the first are kept');
  }
});

void t.test('messages that break the protocol are reported, and nothing of them is heard', async (t) => {
  const good = Buffer.from([1, 1, 1, 1, 0, 1]);
  const cases: Readonly<Record<string, Buffer>> = {
    empty: extended(1, Buffer.alloc(0)),
    'no bencode': extended(1, Buffer.from('hello')),
    'a list': extended(1, Buffer.from('le')),
    'a string': extended(1, Buffer.from('5:added')),
    'cut off': extended(1, Buffer.from('d5:added6:\x01\x01')),
    'a nested bomb': extended(1, Buffer.from(`d1:a${'l'.repeat(50_000)}`)),
    'too many tokens': extended(1, Buffer.from(`d1:al${'i1e'.repeat(20_000)}ee`)),
    'added of 5 bytes': message({ added: good.subarray(1) }),
    'dropped of 7 bytes': message({ dropped: Buffer.alloc(7), added: good }),
    'added6 of 6 bytes': message({ added6: good, added: good }),
    'dropped6 of 17 bytes': message({ dropped6: Buffer.alloc(17) }),
    'added a number': message({ added: 5 }),
    'added a list': message({ added: [good] }),
    'flags a number': message({ added: good, 'added.f': 2 }),
    'dropped a dictionary': message({ added: good, dropped: {} }),
    'above 500 KiB': message({ added: good, x: Buffer.alloc(500 * 1024) }),
  };
  for (const [name, bytes] of Object.entries(cases)) {
    const { us, peer, connection } = await meetRaw();
    peer.send(bytes);
    await settle();
    t.same([us.invalid.length, us.heard.length], [1, 0], name);
    t.equal(connection.connection.closed, false, 'that is for the torrent to decide');
  }
});

void t.test('the largest message allowed is read', async (t) => {
  const { us, peer } = await meetRaw();
  const count = Math.floor((500 * 1024 - 20) / 6);
  peer.send(message({ added: Buffer.alloc(count * 6, 1) }));
  await settle();
  t.same(us.invalid, []);
  t.equal(us.heard[0]?.added.length, 1, 'one address 85,000 times is one address');
});

void t.test('six messages within a minute are taken, the seventh is not', async (t) => {
  const { us, peer, connection } = await meetRaw();
  const send = async (last: number): Promise<void> => {
    peer.send(message({ added: Buffer.from([1, 1, 1, last, 0, 1]) }));
    await settle();
  };
  // Together, as a slow connection may deliver them: the base class would have ended it at the second.
  for (let i = 0; i < 6; i++) await send(i);
  t.same([us.heard.length, us.invalid.length], [6, 0]);
  await us.clock.advance(MINUTE_MS - 1);
  await send(6);
  t.same([us.heard.length, us.invalid.length], [6, 1]);
  await us.clock.advance(1);
  for (let i = 0; i < 6; i++) await send(i);
  t.same([us.heard.length, us.invalid.length], [12, 1]);
  t.equal(connection.connection.closed, false);
});

void t.test('messages every ten seconds go on for ever, with nothing kept of them', async (t) => {
  const { us, peer } = await meetRaw();
  for (let i = 0; i < 500; i++) {
    await us.clock.advance(10 * SECOND_MS);
    peer.send(message({ added: Buffer.from([1, 1, i >> 8, i & 255, 0, 1]), dropped: Buffer.from([2, 2, 2, 2, 0, 1]) }));
    await settle();
  }
  t.same([us.heard.length, us.invalid.length], [500, 0]);
  // The base class would hold 501 addresses now.
  t.same(Object.keys(us.exchange ?? {}).sort(), ['clock', 'listener', 'wire'], 'none of its books');
});

void t.test('no timer runs for a peer', async (t) => {
  const original = globalThis.setInterval;
  let started = 0;
  globalThis.setInterval = ((...args: Parameters<typeof setInterval>) => {
    started++;
    return original(...args);
  }) as typeof setInterval;
  t.teardown(() => void (globalThis.setInterval = original));
  const { us, peer } = await meetRaw();
  peer.send(message({ added: Buffer.from([1, 1, 1, 1, 0, 1]) }));
  us.exchange?.send({ added: [plain('1.1.1.1', 1)], dropped: [] });
  await settle();
  t.equal(us.heard.length, 1);
  t.equal(started, 0);
});

void t.test('sending after the connection has gone does nothing', async (t) => {
  const { us, peer, connection } = await meetRaw();
  connection.connection.close('ENGINE_STOPPING');
  us.exchange?.send({ added: [plain('1.1.1.1', 1)], dropped: [] });
  await settle();
  t.same(received(peer), []);
});
