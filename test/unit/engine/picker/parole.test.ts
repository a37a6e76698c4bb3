// Whole pieces alone: for peers on parole, and of pieces that failed (docs/limits.md 2.13).
import t from 'tap';
import { BLOCK_SIZE_BYTES } from '../../../../engine/environment.js';
import { blockBytes, join, names, pieces, SEED, setUp } from './board.js';

const HAVE = '****    ';
const ALL = '********';

function board(room = Infinity) {
  const { picker, world } = setUp({ availability: '99990000', have: HAVE, blocksPerPiece: 4, room });
  join(picker, 50, ALL);
  join(picker, 51, ALL);
  return { picker, world };
}

/** All that a peer was asked for arrives. */
function deliver(picker: ReturnType<typeof board>['picker'], peer: number, piece: number): void {
  for (let block = 0; block < 4; block++) picker.onBlockReceived(peer, piece, block * BLOCK_SIZE_BYTES, blockBytes());
}

void t.test('on parole it joins in nothing and nobody joins it', async (t) => {
  const { picker } = board();
  const [shared] = pieces(picker.pick(SEED, 2));
  picker.setParole(50, true);
  const [own, ...others] = pieces(picker.pick(50, 2));
  t.not(own, shared);
  t.same(others, []);
  t.equal(pieces(picker.pick(51, 2))[0], shared);
  t.notOk(pieces(picker.pick(51, 4)).includes(own!), 'has blocks to hand out, but not to others');
  t.same(pieces(picker.pick(50, 2)), [own], 'it goes on with its own');
  deliver(picker, 50, own!);
  t.same([...picker.sendersOf(own!)], [50, 50, 50, 50]);
  t.same(picker.onPieceVerified(own!), [50]);
  picker.checkInvariant();
});

void t.test('what it was asked for before stays asked', async (t) => {
  const { picker } = board();
  const [first] = picker.pick(50, 1);
  picker.setParole(50, true);
  t.ok(picker.isRequested(50, first!.piece, first!.begin));
  t.notOk(pieces(picker.pick(50, 4)).includes(first!.piece), 'but no more of that');
  picker.setParole(50, false);
  t.ok(pieces(picker.pick(50, 3)).includes(first!.piece));
  picker.checkInvariant();
});

void t.test('a piece that failed goes to one peer alone, first, and soon', async (t) => {
  const { picker } = board();
  const [failed] = pieces(picker.pick(50, 2));
  picker.pick(51, 2);
  deliver(picker, 50, failed!);
  deliver(picker, 51, failed!);
  t.same([...picker.sendersOf(failed!)], [50, 50, 51, 51]);
  picker.onPieceFailed(failed!);
  picker.fetchAlone(failed!);
  const shared = pieces(picker.pick(SEED, 1));
  t.same(shared, [failed], 'before anything else');
  picker.setParole(50, true);
  t.notOk(pieces(picker.pick(51, 3)).includes(failed!));
  t.notOk(pieces(picker.pick(50, 1)).includes(failed!));
  picker.pick(SEED, 3);
  deliver(picker, SEED, failed!);
  t.same(picker.onPieceVerified(failed!), [SEED]);
  picker.checkInvariant();
});

void t.test('one on parole fetches it only where nobody better has it', async (t) => {
  const { picker } = board();
  const [failed] = pieces(picker.pick(50, 4));
  deliver(picker, 50, failed!);
  picker.onPieceFailed(failed!);
  picker.fetchAlone(failed!);
  for (const peer of [50, 51]) picker.setParole(peer, true);
  t.notOk(pieces(picker.pick(50, 4)).includes(failed!), 'the seed has it');
  picker.onPeerGone(SEED);
  t.same(pieces(picker.pick(51, 4)), [failed]);
  picker.checkInvariant();
});

void t.test('nobody holds a piece that it does not fetch', async (t) => {
  for (const [name, leave] of [
    ['gone', 'onPeerGone'],
    ['choked or snubbing', 'onPeerChoked'],
  ] as const) {
    const { picker, world } = board(1);
    picker.setParole(50, true);
    const [own] = picker.pick(50, 2);
    t.same(picker.pick(51, 1), [], `${name}: not while it does`);
    picker.onBlockReceived(50, own!.piece, 0, blockBytes());
    picker[leave](50);
    world.room = 1;
    t.same(pieces(picker.pick(51, 3)), [own!.piece], `${name}: all that is missing, before a new piece`);
    picker.checkInvariant();
  }
});

void t.test('a reject of its last request opens the piece to those who have nothing else', async (t) => {
  const { picker } = board(1);
  picker.setParole(50, true);
  const [own] = picker.pick(50, 1);
  t.same(picker.pick(51, 4), []);
  picker.onRequestLost(50, own!.piece, own!.begin);
  t.equal(picker.pick(51, 4).length, 4);
  picker.checkInvariant();
});

void t.test('with nothing else to do, one on parole helps with what is shared', async (t) => {
  const { picker, world } = board(1);
  picker.pick(SEED, 1);
  picker.setParole(50, true);
  t.equal(picker.pick(50, 9).length, 3, 'there is no room for a piece of its own');
  world.room = 1;
  picker.checkInvariant();
});

void t.test('at the end, who is not much slower is left alone with its piece', async (t) => {
  const { picker } = setUp({ availability: '99999990', have: '******* ', blocksPerPiece: 4 });
  join(picker, 50, ALL);
  picker.setParole(50, true);
  t.equal(picker.pick(50, 4).length, 4);
  t.ok(picker.inEndGame);
  t.same(names(picker.pick(SEED, 4)), [], 'no copies');
  picker.setSnubbed(50, true);
  t.equal(picker.pick(SEED, 4).length, 4, 'copies of what nothing comes of');
  picker.checkInvariant();
});
