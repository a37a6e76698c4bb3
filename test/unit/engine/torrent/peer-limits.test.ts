// Bounds of one torrent on its connections and upload slots: in force at once, never above the service's, and of several
// holders the most generous.
import t from 'tap';
import { ADMIN_ACCOUNT_ID } from '../../../../shared-protocol/ids.js';
import { frame } from '../../../support/frames.js';
import type { ScriptedPeer } from '../../../support/scripted-peer.js';
import { TorrentBench } from './torrent-bench.js';

const [UNCHOKE, INTERESTED] = [1, 2];
const ROUND_MS = 10_000;

const isOpen = (peer: ScriptedPeer): boolean => peer.closed === null;
/** By the last that it was told. */
const isUnchoked = (peer: ScriptedPeer): boolean =>
  peer.frames.filter(({ id }) => id === 0 || id === UNCHOKE).at(-1)?.id === UNCHOKE;

async function meetSome(bench: TorrentBench, count: number): Promise<ScriptedPeer[]> {
  const peers: ScriptedPeer[] = [];
  for (let i = 0; i < count; i++) peers.push(await bench.meet(`${60 + i}.7.1.2`));
  return peers;
}

void t.test('connections: surplus ones go at once, and none comes beyond', async (t) => {
  const bench = await TorrentBench.start({ engine: { maxPeersPerTorrent: 5 } });
  const peers = await meetSome(bench, 4);
  await bench.torrent.edits.setPeerLimits({ maxPeers: 2, uploadSlots: 0 });
  t.equal(peers.filter(isOpen).length, 2);
  t.notOk(isOpen(await bench.meet('90.7.1.2')));
  bench.torrent.addPeers([{ host: '91.7.1.2', port: 6881 }], 'manual');
  await bench.clock.advance(1_000);
  t.equal(bench.dials.length, 0, 'nor is any sought');
  await bench.torrent.edits.setPeerLimits({ maxPeers: 1_000, uploadSlots: 0 });
  await meetSome(bench, 9);
  t.equal(bench.torrent.peerCount, 5, 'the service has a bound as well');
  t.same(
    bench.store.row(bench.torrent.id)?.peerLimits,
    { maxPeers: 1_000, uploadSlots: 0 },
    'it is stored as it was asked for',
  );
  await bench.stop();
});

void t.test('slots: so many peers are served and no more, in turns, and all again without it', async (t) => {
  const bench = await TorrentBench.start({ has: 'all' });
  const peers = await meetSome(bench, 5);
  for (const peer of peers) peer.send(frame(15), frame(INTERESTED));
  await bench.clock.advance(ROUND_MS);
  t.equal(peers.filter(isUnchoked).length, 5);
  await bench.torrent.edits.setPeerLimits({ maxPeers: 0, uploadSlots: 2 });
  const served = new Set<ScriptedPeer>();
  for (let round = 0; round < 30; round++) {
    await bench.clock.advance(ROUND_MS);
    for (const peer of peers) peer.send(Buffer.alloc(4));
    const unchoked = peers.filter(isUnchoked);
    t.equal(unchoked.length, 2);
    for (const peer of unchoked) served.add(peer);
  }
  t.equal(served.size, 5, 'each has had its turn');
  await bench.torrent.edits.setPeerLimits({ maxPeers: 0, uploadSlots: 0 });
  await bench.clock.advance(ROUND_MS);
  t.equal(peers.filter(isUnchoked).length, 5);
  await bench.stop();
});

void t.test('an account that may not upload: nobody is served until it may again', async (t) => {
  const bench = await TorrentBench.start({ has: 'all' });
  const peers = await meetSome(bench, 3);
  for (const peer of peers) peer.send(frame(15), frame(INTERESTED));
  await bench.clock.advance(ROUND_MS);
  t.equal(peers.filter(isUnchoked).length, 3);
  const stopped = { accountId: ADMIN_ACCOUNT_ID, downBytesPerSec: 0, upBytesPerSec: 0, isUploadStopped: true } as const;
  bench.session.setAccountLimits([stopped]);
  await bench.clock.advance(1_000);
  t.equal(peers.filter(isUnchoked).length, 0, 'not only with the next round');
  await bench.clock.advance(10 * ROUND_MS);
  t.equal(peers.filter(isUnchoked).length, 0);
  t.ok(peers.every(isOpen));
  bench.session.setAccountLimits([]);
  await bench.clock.advance(2 * ROUND_MS);
  t.equal(peers.filter(isUnchoked).length, 3);
  await bench.stop();
});
