// Peers that ask for what they never read: each loses its slot for it, and has one again only once it reads.
import t from 'tap';
import { frame, request } from '../../../support/frames.js';
import type { ScriptedPeer } from '../../../support/scripted-peer.js';
import { BLOCK_BYTES, PIECE_BYTES, TorrentBench } from './torrent-bench.js';

const [CHOKE, UNCHOKE, INTERESTED, HAVE_NONE] = [0, 1, 2, 15];
const KEEP_ALIVE = new Uint8Array(4);
const PIECES = 32;
const DEAF = 72;
const SLOTS = 8;
/** Each of them has had a turn of 30 s at most by then, and half a minute more. */
const ALL_TRIED_MS = (DEAF / SLOTS + 1) * 30_000;

const hasSlot = (peer: ScriptedPeer): boolean =>
  peer.frames
    .map(({ id }) => id)
    .filter((id) => id === CHOKE || id === UNCHOKE)
    .at(-1) === UNCHOKE;

/** More than is on its way before the other end has to read. */
function askForAll(peer: ScriptedPeer): void {
  for (let piece = 0; piece < PIECES; piece++) {
    for (let begin = 0; begin < PIECE_BYTES; begin += BLOCK_BYTES) peer.send(request(piece, begin, BLOCK_BYTES));
  }
}

void t.test('72 that never read hold no slot in the end, and one that reads has its own', async (t) => {
  const engine = { uploadSlots: { min: SLOTS, max: SLOTS } };
  const bench = await TorrentBench.start({ has: 'all', pieces: PIECES, engine });
  const greeted = async (host: string): Promise<ScriptedPeer> => {
    const peer = await bench.meet(host);
    peer.send(frame(HAVE_NONE), frame(INTERESTED));
    return peer;
  };
  const hearing = new Set<ScriptedPeer>();
  for (let i = 0; i < DEAF; i++) hearing.add(await greeted(`10.0.1.${i}`));
  const honest = await greeted('10.0.0.7');
  const all = [...hearing, honest];
  let before = 0;
  for (let ms = 0; ms < ALL_TRIED_MS; ms += 1_000) {
    await bench.clock.advance(1_000);
    if (ms % 60_000 === 0) for (const peer of all) peer.send(KEEP_ALIVE);
    for (const peer of [...hearing].filter(hasSlot)) {
      hearing.delete(peer);
      peer.socket.pauseReading();
      askForAll(peer);
    }
    // One piece a second.
    if (hasSlot(honest))
      for (const begin of [0, BLOCK_BYTES]) honest.send(request(before++ % PIECES, begin, BLOCK_BYTES));
  }
  t.equal(hearing.size, 0, 'all had their turn');
  t.same(
    bench.peers.filter(({ flags }) => /[UO]/.test(flags)).map(({ host }) => host),
    ['10.0.0.7'],
    'whoever reads is alone with the slots',
  );
  t.ok(hasSlot(honest));
  await bench.stop();
});

void t.test('who reads again may have a slot again', async (t) => {
  const bench = await TorrentBench.start({ has: 'all', pieces: PIECES });
  const peer = await bench.meet('10.0.0.7');
  peer.send(frame(HAVE_NONE), frame(INTERESTED));
  await bench.clock.advance(1_000);
  t.ok(hasSlot(peer));
  peer.socket.pauseReading();
  askForAll(peer);
  await bench.clock.advance(40_000);
  t.match(bench.peers, [{ flags: /^[^UO]*$/ }], 'it has lost its slot');
  peer.socket.resumeReading();
  await bench.clock.advance(20_000);
  t.ok(hasSlot(peer));
  await bench.stop();
});
