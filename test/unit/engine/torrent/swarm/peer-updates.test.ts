// What peers say of themselves and of others, and that nobody is listened to any more once his connection is closed.
import bencode from 'bencode';
import t from 'tap';
import { extended, extendedHandshake, frame } from '../../../../support/frames.js';
import type { ScriptedPeer } from '../../../../support/scripted-peer.js';
import { ENGINE_HOST, ENGINE_PORT, extensionsIn, TorrentBench } from '../torrent-bench.js';

const [INTERESTED, NOT_INTERESTED, HAVE, BITFIELD, HAVE_ALL, HAVE_NONE] = [2, 3, 4, 5, 14, 15];
/** A choke of a wrong length: the connection is closed while this is parsed. */
const MALFORMED = frame(0, [1]);

const piece = (index: number): Buffer => {
  const bytes = Buffer.alloc(4);
  bytes.writeUInt32BE(index);
  return bytes;
};

/** An extension message with the number that the engine gave. */
function say(peer: ScriptedPeer, name: string, payload: Uint8Array): Buffer {
  const id = extensionsIn(peer)[name];
  if (id === undefined) throw new Error(`the engine does not speak ${name}`);
  return extended(id, payload);
}

const interest = (peer: ScriptedPeer): number[] =>
  peer.frames.map(({ id }) => id).filter((id) => id === INTERESTED || id === NOT_INTERESTED);

void t.test('lt_donthave takes a piece back, and our interest with the last one', async (t) => {
  const bench = await TorrentBench.start();
  const peer = await bench.meet('10.0.0.7');
  peer.send(frame(HAVE_NONE), frame(HAVE, [3]), frame(HAVE, [4]));
  await bench.clock.settle();
  t.same(interest(peer), [INTERESTED]);
  t.equal(bench.peers[0]?.progress, 2 / 8);
  peer.send(say(peer, 'lt_donthave', piece(3)));
  await bench.clock.settle();
  bench.session.checkInvariant();
  t.equal(bench.peers[0]?.progress, 1 / 8);
  t.same(interest(peer), [INTERESTED]);
  peer.send(say(peer, 'lt_donthave', piece(4)), say(peer, 'lt_donthave', piece(4)));
  await bench.clock.settle();
  bench.session.checkInvariant();
  t.same(interest(peer), [INTERESTED, NOT_INTERESTED]);
  peer.send(say(peer, 'lt_donthave', piece(8)));
  await bench.clock.settle();
  t.equal(peer.closed, '', 'there is no piece 8');
  await bench.stop();
});

for (const [name, first] of [
  ['a bitfield', frame(BITFIELD, [], Buffer.of(0b0001_0000))],
  ['a have', frame(HAVE, [3])],
  ['have all', frame(HAVE_ALL)],
] as const) {
  void t.test(`a piece that was told of by ${name} and taken back can be had again`, async (t) => {
    const bench = await TorrentBench.start();
    const peer = await bench.meet('10.0.0.7');
    peer.send(first);
    await bench.clock.settle();
    const before = bench.peers[0]?.progress ?? 0;
    peer.send(say(peer, 'lt_donthave', piece(3)));
    await bench.clock.settle();
    t.equal(bench.peers[0]?.progress, before - 1 / 8);
    peer.send(frame(HAVE, [3]));
    await bench.clock.settle();
    bench.session.checkInvariant();
    t.equal(bench.peers[0]?.progress, before);
    await bench.stop();
  });
}

void t.test('extended handshakes are heard thirty times, with 64 names', async (t) => {
  const bench = await TorrentBench.start();
  const [often, wordy] = [await bench.meet('10.0.0.7'), await bench.meet('10.0.0.8')];
  const names = (count: number) => Object.fromEntries(Array.from({ length: count }, (_, i) => [`name${i}`, 1]));
  for (let i = 0; i < 30; i++) often.send(extendedHandshake({ m: {}, upload_only: i % 2 }));
  wordy.send(extendedHandshake({ m: names(64) }));
  await bench.clock.settle();
  t.same([often.closed, wordy.closed], [null, null]);
  often.send(extendedHandshake({ m: {} }));
  wordy.send(extendedHandshake({ m: names(65) }));
  await bench.clock.settle();
  t.same([often.closed, wordy.closed], ['', '']);
  await bench.stop();
});

void t.test('a magnet keeps no bitfield that no torrent could have', async (t) => {
  const bench = await TorrentBench.start({ magnet: true });
  const [peer, liar] = [await bench.meet('10.0.0.7'), await bench.meet('10.0.0.8')];
  peer.send(frame(BITFIELD, [], Buffer.alloc(62_500)));
  liar.send(frame(BITFIELD, [], Buffer.alloc(62_501)));
  await bench.clock.settle();
  t.same([peer.closed, liar.closed], [null, '']);
  await bench.stop();
});

void t.test('what a closed peer said last is not heard: the engine lives, and lists stay clean', async (t) => {
  const bench = await TorrentBench.start();
  for (const last of ['lt_donthave', 'upload_only', 'handshake', 'ut_pex'] as const) {
    const peer = await bench.meet('10.0.0.7');
    peer.send(extendedHandshake({ m: {}, p: 7000 }), frame(BITFIELD, [], Buffer.of(0xf0)));
    await bench.clock.settle();
    t.equal(bench.torrent.peerCount, 1);
    const pex = bencode.encode({ added: Buffer.of(10, 0, 0, 66, 20, 0), 'added.f': Buffer.of(0) });
    const words = {
      lt_donthave: () => say(peer, 'lt_donthave', piece(1)),
      upload_only: () => say(peer, 'upload_only', Buffer.of(1)),
      handshake: () => extendedHandshake({ m: { ut_pex: 3 } }),
      ut_pex: () => say(peer, 'ut_pex', pex),
    };
    // In one read, behind the frame that closes the connection.
    peer.send(Buffer.concat([MALFORMED, words[last]()]));
    await bench.clock.settle();
    t.equal(peer.closed, '', last);
    t.equal(bench.torrent.peerCount, 0);
  }
  await bench.clock.advance(1_000);
  t.notOk(
    bench.dials.some(({ to }) => to.host === '10.0.0.66'),
    'whom it named is nobody to us',
  );

  // Nobody tells of it, and nobody is told in its name.
  const witness = await bench.meet('10.0.0.8');
  witness.send(extendedHandshake({ m: { ut_pex: 5 } }));
  await bench.clock.advance(65_000);
  const pexMessages = witness.frames.filter(({ id, payload }) => id === 20 && payload[0] === 5);
  t.same(pexMessages, []);
  await bench.stop();
});

void t.test('a listening port counts when it can be one', async (t) => {
  for (const [p, isListed] of [
    [7000, true],
    [0, false],
    [65_536, false],
    [-1, false],
  ] as const) {
    const bench = await TorrentBench.start();
    const peer = await bench.meet('10.0.0.7');
    peer.send(extendedHandshake({ m: {}, p }));
    const witness = await bench.meet('10.0.0.8');
    witness.send(extendedHandshake({ m: { ut_pex: 5 } }));
    await bench.clock.advance(2_000);
    const told = witness.frames.some(({ id, payload }) => id === 20 && payload[0] === 5);
    t.equal(told, isListed, `p = ${p}`);
    t.equal(bench.torrent.known.size, isListed ? 1 : 0);
    await bench.stop();
  }
});

void t.test('a peer that came to us is not dialled where it listens, until it has gone', async (t) => {
  const bench = await TorrentBench.start();
  const listening = await bench.listenAt({ host: '10.0.0.7', port: 7000 });
  const peer = await bench.meet('10.0.0.7');
  peer.send(extendedHandshake({ m: {}, p: 7000 }));
  await bench.clock.settle();
  bench.torrent.addPeers([{ host: '10.0.0.7', port: 7000 }], 'tracker');
  await bench.clock.advance(5_000);
  t.equal(listening.length, 0);
  peer.socket.destroy();
  await bench.clock.advance(61_000);
  t.equal(listening.length, 1);
  await bench.stop();
});

void t.test('whoever has all that he wants is of no use to one that has, too (BEP 21)', async (t) => {
  const bench = await TorrentBench.start({ has: 'all' });
  const partial = await bench.meet('10.0.0.7');
  partial.send(frame(BITFIELD, [], Buffer.of(0xf0)), extendedHandshake({ m: {}, upload_only: 1 }));
  const leech = await bench.meet('10.0.0.8');
  leech.send(frame(HAVE_NONE));
  const seed = await bench.meet('10.0.0.9');
  seed.send(frame(HAVE_ALL));
  await bench.clock.settle();
  t.same([partial.closed, leech.closed, seed.closed], ['', null, '']);
  leech.send(say(leech, 'upload_only', Buffer.of(1)));
  await bench.clock.settle();
  t.equal(leech.closed, '');
  await bench.stop();
});

void t.test('nobody sends a seed what it did not ask for', async (t) => {
  const bench = await TorrentBench.start({ has: 'all' });
  const peer = await bench.meet('10.0.0.7');
  const unrequested = frame(7, [0, 0], Buffer.alloc(16_384));
  for (let sent = 0; sent < 600 && peer.closed === null; sent++) {
    peer.send(unrequested);
    if (sent % 50 === 0) await bench.clock.settle();
  }
  await bench.clock.settle();
  t.equal(peer.closed, '');
  await bench.stop();
});

void t.test('an address that leads to ourselves is not tried again', async (t) => {
  const bench = await TorrentBench.start();
  bench.torrent.addPeers([{ host: ENGINE_HOST, port: ENGINE_PORT }], 'manual');
  await bench.clock.advance(120_000);
  t.equal(bench.dials.length, 1);
  t.equal(bench.torrent.known.size, 0);
  t.equal(bench.torrent.peerCount, 0);
  await bench.stop();
});
