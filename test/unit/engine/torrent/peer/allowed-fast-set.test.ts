// Pieces for peers that have nothing (BEP 6, allowed fast): who gets which, and how often their blocks are served.
import t from 'tap';
import { parseInfoHash } from '../../../../../shared-protocol/ids.js';
import { Bitfield } from '../../../../../engine/torrent/pieces/bitfield.js';
import { AllowedFastSet } from '../../../../../engine/torrent/peer/allowed-fast-set.js';
import { allowedFastSet } from '../../../../../engine/wire/allowed-fast.js';
import { frame, request } from '../../../../support/frames.js';
import { BLOCK_BYTES, piecesIn, TorrentBench } from '../torrent-bench.js';

/** BEP 6's example. */
const INFO_HASH = parseInfoHash('aa'.repeat(20));
const HOST = '80.4.4.200';
const PIECES = 1_313;
const GEOMETRY = {
  pieceCount: PIECES,
  pieceLength: 2 * BLOCK_BYTES,
  totalBytes: PIECES * 2 * BLOCK_BYTES - BLOCK_BYTES,
};
const [UNCHOKE, HAVE_NONE, ALLOWED_FAST, REJECT, PIECE] = [1, 15, 17, 16, 7];

function bits(...pieces: readonly number[]): Bitfield {
  const field = new Bitfield(PIECES);
  for (const piece of pieces) field.set(piece);
  return field;
}

const all = (): Bitfield => {
  const field = new Bitfield(PIECES);
  field.fill();
  return field;
};

void t.test('the first five of BEP 6 for a peer that has nothing', async (t) => {
  t.same(new AllowedFastSet(GEOMETRY).offer(HOST, INFO_HASH, all(), bits()), [1059, 431, 808, 1217, 287]);
});

void t.test('what we lack and what it has is not offered; one with five pieces needs nothing', async (t) => {
  t.same(new AllowedFastSet(GEOMETRY).offer(HOST, INFO_HASH, bits(1059, 808), bits(808)), [1059]);
  t.same(new AllowedFastSet(GEOMETRY).offer(HOST, INFO_HASH, all(), bits(1, 2, 3, 4)).length, 5);
  t.same(new AllowedFastSet(GEOMETRY).offer(HOST, INFO_HASH, all(), bits(1, 2, 3, 4, 5)), []);
  t.same(new AllowedFastSet(GEOMETRY).offer('2001:db8::1', INFO_HASH, all(), bits()), [], 'BEP 6 has none for IPv6');
});

void t.test('each offered piece is worth its blocks three times, the short last one too', async (t) => {
  const small = { pieceCount: 3, pieceLength: 2 * BLOCK_BYTES, totalBytes: 5 * BLOCK_BYTES };
  const offers = new AllowedFastSet(small);
  const have = new Bitfield(3);
  have.fill();
  const offered = offers.offer(HOST, INFO_HASH, have, new Bitfield(3));
  t.same([...offered].sort(), [0, 1, 2]);
  const served = [0, 1, 2].map((piece) => {
    let count = 0;
    while (offers.take(piece)) count++;
    return count;
  });
  t.same(served, [6, 6, 3]);
  t.ok(offers.has(2), 'used up, but offered all the same');
  t.notOk(offers.take(3));
  t.notOk(offers.has(3));
});

void t.test('a choked peer is served what was offered three times, then no more, and nothing else', async (t) => {
  // Nobody is unchoked by itself: the peer is not interested.
  const bench = await TorrentBench.start({ has: 'all' });
  const peer = await bench.meet('10.0.0.7');
  peer.send(frame(HAVE_NONE));
  await bench.clock.settle();
  const offered = piecesIn(peer, ALLOWED_FAST);
  t.same(offered, allowedFastSet('10.0.0.7', bench.made.infoHash, 8, 5));
  const [piece = -1] = offered;
  const other = [0, 1, 2, 3, 4, 5, 6, 7].find((index) => !offered.includes(index))!;
  for (let i = 0; i < 8; i++) {
    peer.send(request(piece, (i % 2) * BLOCK_BYTES, BLOCK_BYTES));
    await bench.clock.settle();
  }
  peer.send(request(other, 0, BLOCK_BYTES));
  await bench.clock.settle();
  t.same(piecesIn(peer, PIECE), [piece, piece, piece, piece, piece, piece]);
  t.same(piecesIn(peer, REJECT), [piece, piece, other]);
  t.same(piecesIn(peer, ALLOWED_FAST), offered, 'offered once');
  t.notOk(
    peer.frames.some(({ id }) => id === UNCHOKE),
    'still choked',
  );
  const first = peer.frames.find(({ id }) => id === PIECE)!;
  t.same(first.payload.subarray(8), Buffer.from(bench.blockAt(piece, 0)));
  await bench.stop();
});

void t.test('a peer that does not speak the fast extension is offered nothing, and not served', async (t) => {
  const bench = await TorrentBench.start({ has: 'all' });
  const peer = await bench.meet('10.0.0.7', { fast: false });
  const [piece = -1] = allowedFastSet('10.0.0.7', bench.made.infoHash, 8, 5);
  peer.send(request(piece, 0, BLOCK_BYTES));
  await bench.clock.settle();
  t.same(
    peer.frames.map(({ id }) => id).filter((id) => id !== 20),
    [5],
    'a bitfield and no more',
  );
  await bench.stop();
});
