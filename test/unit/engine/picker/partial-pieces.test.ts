import t from 'tap';
import { BLOCK_SIZE_BYTES } from '../../../../engine/environment.js';
import { blockBytes, join, names, pieces, prioritiesOf, SEED, setUp } from './board.js';

const HAVE = '****      ';

void t.test('pieces in progress come before new ones', async (t) => {
  const { picker, opened } = setUp({ availability: '9999123456', have: HAVE, blocksPerPiece: 4 });
  t.same(names(picker.pick(SEED, 2)), ['4.0', '4.1']);
  join(picker, 50, '    **    ');
  t.same(names(picker.pick(50, 3)), ['4.2', '4.3', '5.0']);
  t.same(opened, [4, 5]);
  picker.checkInvariant();
});

void t.test(
  'of those, the one in which the peer has requests, then the rarest, then the one with least missing',
  async (t) => {
    const { picker } = setUp({ availability: '9999223334', have: HAVE, blocksPerPiece: 4 });
    join(picker, 50, '     *    '); // 5: as common as 6, 7 and 8 with it
    join(picker, 51, '      *   ');
    join(picker, 52, '       *  ');
    t.same(names(picker.pick(51, 1)), ['6.0']);
    t.same(names(picker.pick(52, 1)), ['7.0']);
    t.same(names(picker.pick(50, 1)), ['5.0']);
    t.equal(picker.onBlockReceived(52, 7, 0, blockBytes()).kind, 'accepted');
    join(picker, 60, '    **** *');
    // 5 has 4 peers (rarest of those in progress), 6 and 7 have 5, and 7 misses fewer bytes.
    t.same(pieces(picker.pick(60, 9)), [5, 7, 6]);

    picker.onRequestLost(60, 7, BLOCK_SIZE_BYTES);
    picker.onRequestLost(60, 5, BLOCK_SIZE_BYTES);
    t.same(names(picker.pick(51, 1)), [], '51 has neither');
    join(picker, 61, '     *****');
    t.same(names(picker.pick(61, 1)), ['5.1']);
    picker.checkInvariant();
  },
);

void t.test('a piece in which the peer has requests comes before a rarer one', async (t) => {
  const { picker } = setUp({ availability: '9999413999', have: HAVE, blocksPerPiece: 4 });
  join(picker, 50, '    ***   ');
  join(picker, 60, '    *     ');
  join(picker, 61, '      *   ');
  t.same(names(picker.pick(60, 1)), ['4.0']);
  t.same(names(picker.pick(50, 1)), ['4.1']);
  t.same(names(picker.pick(60, 2)), ['4.2', '4.3']);
  t.same(pieces(picker.pick(50, 4)), [5]);
  t.same(names(picker.pick(61, 1)), ['6.0']);
  picker.onRequestLost(60, 4, 2 * BLOCK_SIZE_BYTES);
  t.same(names(picker.pick(50, 2)), ['4.2', '6.1']);
  picker.checkInvariant();
});

void t.test('lost, rejected and choked requests are free again; each is given out once', async (t) => {
  const { picker } = setUp({ availability: '9999222222', have: HAVE, blocksPerPiece: 4 });
  join(picker, 50, '    ******');
  const first = picker.pick(50, 4);
  t.equal(picker.outstanding(50), 4);
  t.ok(picker.onRequestLost(50, first[1]!.piece, first[1]!.begin));
  t.notOk(picker.onRequestLost(50, first[1]!.piece, first[1]!.begin), 'only once');
  t.notOk(picker.onRequestLost(50, first[1]!.piece, 5), 'not the offset of a block');
  t.notOk(picker.isRequested(50, first[1]!.piece, first[1]!.begin));
  t.equal(picker.outstanding(50), 3);
  t.same(picker.pick(SEED, 1), [first[1]]);
  picker.onPeerChoked(50);
  t.equal(picker.outstanding(50), 0);
  t.same(new Set(names(picker.pick(SEED, 3))), new Set(names([first[0]!, first[2]!, first[3]!])));
  picker.onPeerGone(SEED);
  t.equal(picker.outstanding(SEED), 0);
  t.same(new Set(names(picker.pick(50, 4))), new Set(names(first)));
  picker.checkInvariant();
});

void t.test('a block counts once, from whom it was asked', async (t) => {
  const { picker } = setUp({ availability: '9999222222', have: HAVE, blocksPerPiece: 2 });
  const [first, second] = picker.pick(SEED, 2);
  const piece = first!.piece;
  t.same(picker.onBlockReceived(1, piece, 0, blockBytes()), { kind: 'unrequested' });
  t.same(picker.onBlockReceived(SEED, piece, 0, blockBytes(100)), { kind: 'unrequested' }, 'of another length');
  t.same(picker.onBlockReceived(SEED, piece, 7, blockBytes()), { kind: 'unrequested' });
  t.same(picker.onBlockReceived(SEED, piece, 1 << 20, blockBytes()), { kind: 'unrequested' });
  t.same(picker.onBlockReceived(777, piece, 0, blockBytes()), { kind: 'unrequested' }, 'of a peer that is gone');
  t.same(picker.onBlockReceived(SEED, piece, first!.begin, blockBytes()), {
    kind: 'accepted',
    pieceComplete: false,
    cancel: [],
  });
  t.same(picker.onBlockReceived(SEED, piece, first!.begin, blockBytes()), { kind: 'unrequested' });
  t.throws(() => picker.onPieceVerified(piece), { code: 'BUG' });
  t.match(picker.onBlockReceived(SEED, piece, second!.begin, blockBytes()), { pieceComplete: true });
  picker.checkInvariant();
  t.same(picker.openPieces(), [piece], 'still in progress while it is being verified');
  picker.onPieceVerified(piece);
  t.equal(picker.haveCount, 5);
  t.same(picker.openPieces(), []);
  picker.checkInvariant();
});

void t.test('a piece that fails is needed again, and names who sent it', async (t) => {
  const { picker, opened } = setUp({ availability: '9999000000', have: HAVE, blocksPerPiece: 2 });
  picker.setPriorities(prioritiesOf('nnnnn-----'));
  join(picker, 50, '    *     ');
  picker.pick(50, 1);
  picker.pick(SEED, 1);
  picker.onBlockReceived(50, 4, 0, blockBytes());
  picker.onBlockReceived(SEED, 4, BLOCK_SIZE_BYTES, blockBytes());
  t.same(picker.onPieceFailed(4), [50, SEED]);
  picker.checkInvariant();
  t.same(names(picker.pick(SEED, 2)), ['4.0', '4.1']);
  t.same(opened, [4, 4], 'room is asked for again');
  picker.onBlockReceived(SEED, 4, 0, blockBytes());
  t.same(picker.onPieceFailed(4), [SEED], 'a write may fail before all blocks are here');
  t.equal(picker.outstanding(SEED), 0);
  t.equal(picker.onBlockReceived(SEED, 4, BLOCK_SIZE_BYTES, blockBytes()).kind, 'unrequested');
  t.throws(() => picker.onPieceFailed(4), { code: 'BUG' });
  picker.checkInvariant();
});

void t.test('a piece in progress that is not wanted any more', async (t) => {
  const { picker } = setUp({ availability: '9999222222', have: HAVE, blocksPerPiece: 4 });
  const taken = picker.pick(SEED, 2);
  const piece = taken[0]!.piece;
  picker.setPriorities(prioritiesOf([...'nnnnnnnnnn'].map((at, index) => (index === piece ? '-' : at)).join('')));
  t.notOk(pieces(picker.pick(SEED, 100)).includes(piece), 'its free blocks are not handed out');
  t.equal(picker.missingCount, 5);
  t.equal(picker.onBlockReceived(SEED, piece, taken[0]!.begin, blockBytes()).kind, 'accepted');
  t.same(picker.closeIdlePieces(), [], 'a request is outstanding');
  picker.onRequestLost(SEED, piece, taken[1]!.begin);
  picker.checkInvariant();
  t.same(picker.closeIdlePieces(), [piece]);
  picker.checkInvariant();
});

void t.test('pieces that nothing comes of are closed', async (t) => {
  const { picker } = setUp({ availability: '9999000000', have: HAVE, blocksPerPiece: 2 });
  join(picker, 50, '     *    ');
  join(picker, 51, '      *   ');
  picker.pick(50, 2);
  picker.pick(51, 2);
  picker.onBlockReceived(50, 5, 0, blockBytes());
  picker.onPeerGone(50);
  picker.onPeerGone(51);
  t.same(picker.closeIdlePieces(), [6]);
  t.same(picker.closeStrandedPieces(), [], 'the seed has it');
  picker.onPeerGone(SEED);
  t.same(picker.closeStrandedPieces(), [5]);
  t.same(picker.openPieces(), []);
  picker.checkInvariant();
});
