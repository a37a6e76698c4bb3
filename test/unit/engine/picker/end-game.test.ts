import t from 'tap';
import { BLOCK_SIZE_BYTES } from '../../../../engine/environment.js';
import { blockBytes, join, names, prioritiesOf, SEED, setUp } from './board.js';

const HAVE = '****  ';

void t.test('end-game begins when every missing block is asked of somebody', async (t) => {
  const { picker, world } = setUp({ availability: '999900', have: HAVE, blocksPerPiece: 2, room: 1 });
  join(picker, 50, '******');
  picker.pick(SEED, 1);
  t.notOk(picker.inEndGame, 'a piece is not open');
  picker.pick(SEED, 1);
  t.notOk(picker.inEndGame, 'there is only no room for it');
  t.same(picker.pick(50, 10), []);
  world.room = 1;
  picker.pick(SEED, 1);
  t.notOk(picker.inEndGame, 'a block is free');
  picker.pick(SEED, 1);
  t.ok(picker.inEndGame);
  t.equal(picker.pick(50, 10).length, 4);
  picker.onPeerGone(SEED);
  t.ok(picker.inEndGame, 'the copies are still outstanding');
  picker.onPeerChoked(50);
  t.notOk(picker.inEndGame);
  picker.checkInvariant();
});

void t.test('at most three copies, never two of one peer, the least copied first', async (t) => {
  const { picker } = setUp({ availability: '999900', have: HAVE, blocksPerPiece: 2 });
  for (const peer of [50, 51, 52, 53]) join(picker, peer, '******');
  t.equal(picker.pick(SEED, 10).length, 4);
  t.same(picker.pick(SEED, 10), []);
  const two = names(picker.pick(50, 2));
  const others = names(picker.pick(51, 2));
  t.equal(new Set([...two, ...others]).size, 4, 'other blocks than those copied already');
  t.equal(picker.pick(52, 10).length, 4);
  t.same(picker.pick(53, 10), [], 'three copies of each');
  t.same(picker.pick(52, 10), []);
  picker.checkInvariant();
});

void t.test('on receipt the slower are named to be cancelled, and what they send is a duplicate', async (t) => {
  const { picker } = setUp({ availability: '999900', have: HAVE, blocksPerPiece: 2 });
  for (const peer of [50, 51]) join(picker, peer, '******');
  picker.setPriorities(prioritiesOf('nnnnn-'));
  picker.pick(SEED, 2);
  picker.pick(50, 2);
  picker.pick(51, 2);
  t.same(picker.onBlockReceived(50, 4, 0, blockBytes()), {
    kind: 'accepted',
    pieceComplete: false,
    cancel: [SEED, 51],
  });
  picker.checkInvariant();
  t.notOk(picker.isRequested(SEED, 4, 0));
  t.notOk(picker.onRequestLost(51, 4, 0), 'a reject of what was cancelled');
  t.same(picker.onBlockReceived(SEED, 4, 0, blockBytes()), { kind: 'duplicate' });
  t.same(picker.onBlockReceived(SEED, 4, 0, blockBytes()), { kind: 'unrequested' });
  t.ok(picker.onRequestLost(SEED, 4, BLOCK_SIZE_BYTES), 'two copies are left');
  t.ok(picker.inEndGame);
  t.match(picker.onBlockReceived(51, 4, BLOCK_SIZE_BYTES, blockBytes()), { pieceComplete: true, cancel: [50] });
  picker.checkInvariant();
  t.same(picker.onPieceFailed(4), [50, 51]);
  t.notOk(picker.inEndGame, 'a failed piece ends it');
  picker.checkInvariant();
});

void t.test('a peer with much outstanding gets no copies, a snubbed one gets one', async (t) => {
  const { picker } = setUp({ availability: '999900', have: HAVE, blocksPerPiece: 20 });
  join(picker, 50, '******');
  join(picker, 51, '******');
  picker.pick(SEED, 20);
  picker.pick(50, 20);
  t.ok(picker.inEndGame);
  t.same(picker.pick(SEED, 5), []);
  t.equal(picker.pick(51, 100).length, 16);
  for (let block = 0; block < 20; block++) picker.onRequestLost(50, 5, block * BLOCK_SIZE_BYTES);
  picker.onPeerChoked(50);
  picker.pick(SEED, 100);
  picker.setSnubbed(50, true);
  t.equal(picker.pick(50, 100).length, 1);
  t.same(picker.pick(50, 100), []);
  picker.checkInvariant();
});
