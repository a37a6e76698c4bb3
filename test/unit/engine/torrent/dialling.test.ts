// How a torrent connects to addresses: encrypted or plain by policy and by what the other end did before (MSE), nobody
// who is banned, and again as soon as there is room.
import t from 'tap';
import type { EncryptionPolicy } from '../../../../shared-protocol/encryption-policy.js';
import { parseInfoHash, parsePeerId } from '../../../../shared-protocol/ids.js';
import type { PeerAddress } from '../../../../engine/environment.js';
import { block, extendedHandshake, frame } from '../../../support/frames.js';
import { RecordedConnection } from '../../../support/recorded-connection.js';
import type { ScriptedPeer } from '../../../support/scripted-peer.js';
import { securityOf } from '../../../support/security.js';
import { TorrentBench } from './torrent-bench.js';

/** Public, so that the limits on attempts apply. */
const STRANGER: PeerAddress = { host: '8.8.8.8', port: 6881 };
const PLAIN_START = Buffer.from('\x13BitTorrent protocol', 'latin1');

/** What a peer of the time before MSE hears: it hangs up on whatever is no handshake. Returns the first bytes of each. */
async function oldClientAt(bench: TorrentBench, address: PeerAddress): Promise<string[]> {
  const starts: string[] = [];
  await bench.network.host(address.host).listen(address.host, address.port, (socket) => {
    let seen = Buffer.alloc(0);
    socket.setHandler({
      onConnect: () => undefined,
      onDrain: () => undefined,
      onClose: () => undefined,
      onData: (bytes) => {
        if (seen.length === 0) starts.push(PLAIN_START.equals(bytes.subarray(0, 20)) ? 'plain' : 'key');
        const before = seen.length;
        seen = Buffer.concat([seen, bytes]);
        if (!PLAIN_START.equals(seen.subarray(0, 20))) socket.destroy();
        else if (before < 68 && seen.length >= 68) socket.write(bench.handshake());
      },
    });
  });
  return starts;
}

const startWith = (encryption: EncryptionPolicy): Promise<TorrentBench> =>
  TorrentBench.start({ engine: { encryption } });

void t.test('preferred: a peer that hangs up on the key is asked in plain at once', async (t) => {
  const bench = await startWith('preferred');
  const starts = await oldClientAt(bench, STRANGER);
  bench.torrent.addPeers([STRANGER], 'tracker');
  await bench.clock.advance(2_000);
  t.same(starts, ['key', 'plain']);
  t.equal(bench.stats.peers, 1);
  t.equal(bench.torrent.known.get(STRANGER)?.mse, 'refused');
  await bench.clock.advance(60_000);
  t.equal(bench.dials.length, 2);
  await bench.stop();
});

void t.test('required: it is never asked in plain, and not again at once', async (t) => {
  const bench = await startWith('required');
  const starts = await oldClientAt(bench, STRANGER);
  bench.torrent.addPeers([STRANGER], 'tracker');
  await bench.clock.advance(10_000);
  t.same(starts, ['key']);
  await bench.clock.advance(600_000);
  t.ok(starts.length > 1);
  t.notOk(starts.includes('plain'));
  await bench.stop();
});

for (const policy of ['allowed', 'off'] as const) {
  void t.test(`${policy}: plain from the start`, async (t) => {
    const bench = await startWith(policy);
    const starts = await oldClientAt(bench, STRANGER);
    bench.torrent.addPeers([STRANGER], 'tracker');
    await bench.clock.advance(2_000);
    t.same(starts, ['plain']);
    t.equal(bench.stats.peers, 1);
    await bench.stop();
  });
}

void t.test('who takes the key is met by it, and known for it', async (t) => {
  for (const policy of ['preferred', 'required'] as const) {
    const bench = await startWith(policy);
    const infoHash = parseInfoHash(bench.made.infoHash);
    const met: RecordedConnection[] = [];
    await bench.network.host(STRANGER.host).listen(STRANGER.host, STRANGER.port, (socket) => {
      const security = securityOf('preferred', [infoHash], 3);
      const peerId = parsePeerId('bb'.repeat(20));
      met.push(new RecordedConnection(socket, { direction: 'incoming', infoHash, peerId, security }));
    });
    bench.torrent.addPeers([STRANGER], 'tracker');
    await bench.clock.advance(2_000);
    t.same(
      met.map(({ connection }) => connection.protection),
      [policy === 'required' ? 'rc4' : 'handshake'],
    );
    t.equal(bench.torrent.known.get(STRANGER)?.mse, 'works');
    t.match(bench.peers[0]?.flags, policy === 'required' ? 'E' : 'e');
    await bench.stop();
  }
});

void t.test('a peer that sent a bad piece is dropped, not dialled again, and refused when it comes', async (t) => {
  const bench = await TorrentBench.start({ pieces: 1 });
  const listening = await bench.listenAt(STRANGER);
  bench.torrent.addPeers([STRANGER], 'tracker');
  await bench.clock.advance(1_000);
  const [liar] = listening;
  if (!liar) throw new Error('not dialled');
  liar.send(bench.handshake(), frame(14), frame(1));
  await bench.clock.settle();
  for (const begin of [0, 16_384]) liar.send(block(0, begin, Buffer.alloc(16_384, 1)));
  await bench.clock.advance(1_000);
  t.equal(liar.closed, '');
  bench.torrent.addPeers([STRANGER], 'tracker');
  await bench.clock.advance(7_200_000);
  t.equal(listening.length, 1);
  const back = bench.dialIn(STRANGER.host);
  back.send(bench.handshake());
  await bench.clock.settle();
  t.equal(back.closed, '');
  t.equal(back.handshake.length, 0, 'not a word');
  const neighbour = await bench.meet('8.8.8.9');
  t.equal(neighbour.handshake.length, 68);
  await bench.stop();
});

void t.test('on a private network only the liar is banned, not his neighbours at the same address', async (t) => {
  const bench = await TorrentBench.start({ pieces: 1 });
  const liar = bench.dialIn('10.0.0.7');
  const greeting = bench.handshake();
  liar.send(greeting, frame(14), frame(1));
  await bench.clock.settle();
  for (const begin of [0, 16_384]) liar.send(block(0, begin, Buffer.alloc(16_384, 1)));
  await bench.clock.advance(1_000);
  t.equal(liar.closed, '');
  const back = bench.dialIn('10.0.0.7');
  back.send(greeting);
  await bench.clock.settle();
  t.equal(back.closed, '');
  t.equal((await bench.meet('10.0.0.7')).closed, null);
  await bench.stop();
});

void t.test('a torrent that was full dials again once a peer that came to it has gone', async (t) => {
  const bench = await TorrentBench.start({ engine: { maxPeersPerTorrent: 1 } });
  const guest = await bench.meet('10.0.0.7');
  const listening = await bench.listenAt(STRANGER);
  bench.torrent.addPeers([STRANGER], 'tracker');
  await bench.clock.advance(10_000);
  t.equal(listening.length, 0);
  guest.socket.destroy();
  await bench.clock.advance(2_000);
  t.equal(listening.length, 1);
  await bench.stop();
});

void t.test('a pause does not count against the peers that it closed', async (t) => {
  const bench = await TorrentBench.start();
  const listening = await bench.listenAt(STRANGER);
  bench.torrent.addPeers([STRANGER], 'tracker');
  await bench.clock.advance(1_000);
  listening[0]?.send(bench.handshake(), frame(15));
  await bench.clock.advance(1_000);
  t.equal(bench.stats.peers, 1);
  await bench.torrent.setPaused(true);
  await bench.clock.advance(1_000);
  t.equal(listening[0]?.closed, '');
  await bench.torrent.setPaused(false);
  await bench.clock.advance(6_000);
  t.equal(listening.length, 2, 'within seconds, not after a minute');
  await bench.stop();
});

void t.test('a torrent that turns out to be private lets go of whom it must not know (BEP 27)', async (t) => {
  const bench = await TorrentBench.start({ magnet: true, private: true });
  const elsewhere = await bench.listenAt({ host: '10.0.0.7', port: 7000 });
  const tracked = await bench.listenAt({ host: '10.0.0.8', port: 7000 });
  bench.torrent.addPeers([{ host: '10.0.0.7', port: 7000 }], 'dht');
  bench.torrent.addPeers([{ host: '10.0.0.8', port: 7000 }], 'tracker');
  await bench.clock.advance(1_000);
  const [bad, good] = [elsewhere[0], tracked[0]];
  if (!bad || !good) throw new Error('not dialled');
  for (const peer of [bad, good]) peer.send(bench.handshake());
  await bench.clock.settle();
  await giveMetadata(bench, good);
  t.equal(bench.torrent.facts().isPrivate, true);
  t.equal(bad.closed, '');
  t.equal(good.closed, null);
  t.equal(bench.torrent.addPeers([{ host: '10.0.0.9', port: 7000 }], 'pex'), 0);
  t.equal(bench.torrent.addPeers([{ host: '10.0.0.9', port: 7000 }], 'lsd'), 0);
  await bench.clock.advance(120_000);
  t.equal(elsewhere.length, 1);
  await bench.stop();
});

/** The peer has the info dictionary (BEP 9) and hands it out. */
async function giveMetadata(bench: TorrentBench, peer: ScriptedPeer): Promise<void> {
  const { infoBytes } = bench.made;
  peer.send(extendedHandshake({ m: { ut_metadata: 4 }, metadata_size: infoBytes.length }));
  await bench.clock.settle();
  const asked = peer.frames.find(({ id, payload }) => id === 20 && payload[0] === 4);
  if (!asked) throw new Error('not asked for the metadata');
  const ours = peer.extendedHandshake as { m: Record<string, number> };
  const head = Buffer.from(`d8:msg_typei1e5:piecei0e10:total_sizei${infoBytes.length}ee`);
  peer.send(frame(20, [], Buffer.concat([Buffer.of(ours.m['ut_metadata'] ?? 0), head, infoBytes])));
  await bench.clock.advance(200);
}
