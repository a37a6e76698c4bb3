import t from 'tap';
import { BlockShare } from '../../../../bench/load/block-share.js';

void t.test('each block is given out once, and again only after it was given back', async (t) => {
  const share = new BlockShare(5);
  t.strictSame(share.take(2), [0, 1]);
  t.strictSame(share.take(2), [2, 3]);
  t.equal(share.left, 1);
  share.giveBack(new Set([1, 3]));
  t.equal(share.left, 3);
  t.strictSame(share.take(1), [1], 'those that were given back come first');
  t.strictSame(share.take(9), [3, 4]);
  t.strictSame(share.take(9), []);
  t.equal(share.left, 0);
});

void t.test('it is complete once all were received, not once all were asked for', async (t) => {
  const share = new BlockShare(2);
  share.take(2);
  t.notOk(share.isComplete);
  share.received = 2;
  t.ok(share.isComplete);
});
