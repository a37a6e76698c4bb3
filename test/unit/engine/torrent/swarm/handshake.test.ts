// How we introduce ourselves to a peer, and what we tell it later of ourselves: extended handshake (BEP 10), DHT port
// (BEP 5), `upload_only` (BEP 21); and that a private torrent says nothing of the DHT and PEX (BEP 27).
import t from 'tap';
import { block, extendedHandshake, frame } from '../../../../support/frames.js';
import type { ScriptedPeer } from '../../../../support/scripted-peer.js';
import { ENGINE_PORT, extensionsIn, TorrentBench, type BenchOptions } from '../torrent-bench.js';

const DHT_BIT = 0x01;
const PORT = 9;
const EXTENDED = 20;
const DHT: BenchOptions['engine'] = { dht: { bootstrap: [] } };

const fieldsOf = (peer: ScriptedPeer): Record<string, unknown> => peer.extendedHandshake as Record<string, unknown>;

/** Messages by which the peer said of which extension this is. */
function extendedPayloads(peer: ScriptedPeer, id: number): string[] {
  return peer.frames
    .filter((one) => one.id === EXTENDED && one.payload[0] === id)
    .map(({ payload }) => payload.subarray(1).toString('hex'));
}

void t.test('the extended handshake of a torrent that downloads', async (t) => {
  const bench = await TorrentBench.start();
  const peer = await bench.meet('10.0.0.7');
  const fields = fieldsOf(peer);
  t.same(Buffer.from(fields['yourip'] as Uint8Array), Buffer.of(10, 0, 0, 7));
  t.equal(fields['p'], ENGINE_PORT);
  t.equal(fields['reqq'], 2000);
  t.equal(Buffer.from(fields['v'] as Uint8Array).toString(), 'test');
  t.equal(fields['metadata_size'], bench.made.infoBytes.length);
  t.notOk('upload_only' in fields);
  t.same(Object.keys(extensionsIn(peer)).sort(), ['lt_donthave', 'upload_only', 'ut_metadata', 'ut_pex']);
  await bench.stop();
});

void t.test('yourip has 16 bytes for a peer that came over IPv6, also from a zone', async (t) => {
  const bench = await TorrentBench.start();
  for (const [host, bytes] of [
    ['2001:db8::7', '20010db8000000000000000000000007'],
    ['fe80::7%eth0', 'fe800000000000000000000000000007'],
  ] as const) {
    const peer = await bench.meet(host);
    t.equal(Buffer.from(fieldsOf(peer)['yourip'] as Uint8Array).toString('hex'), bytes, host);
  }
  await bench.stop();
});

void t.test('a seed says that it only uploads', async (t) => {
  const bench = await TorrentBench.start({ has: 'all' });
  t.ok(bench.isComplete);
  t.equal(fieldsOf(await bench.meet('10.0.0.7'))['upload_only'], 1);
  await bench.stop();
});

void t.test('the DHT is announced by its bit and its port, once each', async (t) => {
  const bench = await TorrentBench.start({ engine: DHT });
  const reserved = bench.handshake();
  reserved[27]! |= DHT_BIT;
  const node = bench.dialIn('10.0.0.7');
  node.send(reserved);
  const other = await bench.meet('10.0.0.8');
  t.ok(node.handshake[27]! & DHT_BIT);
  t.equal(node.frames.filter(({ id }) => id === PORT).length, 1);
  t.ok(node.frames.find(({ id }) => id === PORT)!.payload.readUInt16BE(0) > 0);
  t.notOk(
    other.frames.some(({ id }) => id === PORT),
    'not to a peer that is no node',
  );
  await bench.stop();
});

void t.test('without a DHT there is no bit and no port', async (t) => {
  const bench = await TorrentBench.start();
  const greeting = bench.handshake();
  greeting[27]! |= DHT_BIT;
  const peer = bench.dialIn('10.0.0.7');
  peer.send(greeting);
  await bench.clock.settle();
  t.notOk(peer.handshake[27]! & DHT_BIT);
  t.notOk(peer.frames.some(({ id }) => id === PORT));
  await bench.stop();
});

void t.test('a private torrent offers neither PEX nor the DHT', async (t) => {
  const bench = await TorrentBench.start({ engine: DHT, private: true });
  const greeting = bench.handshake();
  greeting[27]! |= DHT_BIT;
  const peer = bench.dialIn('10.0.0.7');
  peer.send(greeting);
  await bench.clock.settle();
  t.notOk(peer.handshake[27]! & DHT_BIT);
  t.notOk(peer.frames.some(({ id }) => id === PORT));
  t.same(Object.keys(extensionsIn(peer)).sort(), ['lt_donthave', 'upload_only', 'ut_metadata']);
  await bench.stop();
});

/** A seed that serves whatever is asked. */
async function serve(bench: TorrentBench, seed: ScriptedPeer): Promise<void> {
  let served = 0;
  for (let idle = 0; idle < 20; idle++) {
    const requests = seed.frames.filter(({ id }) => id === 6).slice(served);
    served += requests.length;
    if (requests.length > 0) idle = 0;
    for (const { payload } of requests) {
      const [piece, begin] = [payload.readUInt32BE(0), payload.readUInt32BE(4)];
      seed.send(block(piece, begin, bench.blockAt(piece, begin)));
    }
    await bench.clock.advance(100);
  }
}

void t.test('at completion peers hear upload_only, and seeds are let go', async (t) => {
  const bench = await TorrentBench.start({ pieces: 2 });
  const leech = await bench.meet('10.0.0.7');
  leech.send(extendedHandshake({ m: { upload_only: 9 } }));
  const seed = await bench.meet('10.0.0.8');
  seed.send(extendedHandshake({ m: { upload_only: 8 } }), frame(14), frame(1));
  await serve(bench, seed);
  t.ok(bench.isComplete);
  t.same(extendedPayloads(leech, 9), ['01']);
  t.equal(leech.closed, null);
  t.equal(seed.closed, '', 'neither wants anything of the other');
  t.equal(bench.stats.peers, 1);
  await bench.stop();
});

void t.test('a disk that takes writes again is told to those who heard otherwise', async (t) => {
  const bench = await TorrentBench.start({ pieces: 4 });
  bench.disk.spaceLeftBytes = 0;
  const seed = await bench.meet('10.0.0.8');
  seed.send(extendedHandshake({ m: { upload_only: 8 } }), frame(14), frame(1));
  await bench.clock.settle();
  for (const { payload } of seed.frames.filter(({ id }) => id === 6)) {
    const [piece, begin] = [payload.readUInt32BE(0), payload.readUInt32BE(4)];
    seed.send(block(piece, begin, bench.blockAt(piece, begin)));
  }
  await bench.clock.advance(1_000);
  const leech = await bench.meet('10.0.0.9');
  leech.send(extendedHandshake({ m: { upload_only: 9 } }));
  t.equal(fieldsOf(leech)['upload_only'], 1, 'nothing is asked for while the disk is full');
  bench.disk.spaceLeftBytes = Infinity;
  await bench.clock.advance(31_000);
  t.same(extendedPayloads(leech, 9), ['00']);
  t.equal(bench.torrent.activity, 'downloading');
  await bench.stop();
});
