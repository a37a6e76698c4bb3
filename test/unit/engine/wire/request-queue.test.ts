import t from 'tap';
import { RequestQueue } from '../../../../engine/wire/request-queue.js';
import { SeededRandom } from '../../../support/seeded-random.js';

const BLOCK = 16 * 1024;
const PIECE = 4 * BLOCK;

const places = (run: readonly { piece: number; begin: number }[]): number[][] =>
  run.map(({ piece, begin }) => [piece, begin / BLOCK]);

void t.test('runs continue over piece borders and end at gaps, short blocks and the limit', async (t) => {
  const queue = new RequestQueue();
  for (const [piece, block] of [
    [1, 3],
    [2, 0],
    [2, 1],
    [0, 0],
  ] as const)
    queue.push(piece, block * BLOCK, BLOCK);
  queue.push(0, BLOCK, 100);
  queue.push(0, 2 * BLOCK, BLOCK);
  const first = queue.peekRun(PIECE, 32);
  t.same(places(first), [
    [1, 3],
    [2, 0],
    [2, 1],
  ]);
  t.equal(queue.size, 6, 'a look takes nothing');
  queue.take(first);
  t.same(places(queue.peekRun(PIECE, 1)), [[0, 0]]);
  t.same(places(queue.peekRun(PIECE, 32)), [
    [0, 0],
    [0, 1],
  ]);
});

void t.test('a block is known while it is queued', async (t) => {
  const queue = new RequestQueue();
  t.notOk(queue.has(5, BLOCK));
  queue.push(5, BLOCK, BLOCK);
  t.ok(queue.has(5, BLOCK));
  t.notOk(queue.has(5, 0));
  queue.take(queue.peekRun(PIECE, 32));
  t.equal(queue.size, 0);
  t.notOk(queue.has(5, BLOCK));
});

void t.test('a peer that reads nothing may ask and cancel without end, and little is held', async (t) => {
  const queue = new RequestQueue();
  queue.push(9, 0, BLOCK);
  let most = 0;
  for (let i = 0; i < 100_000; i++) {
    queue.push(i % 7, BLOCK, BLOCK);
    queue.cancel(i % 7, BLOCK);
    most = Math.max(most, queue.held);
  }
  t.ok(most < 4_000, `${most} entries`);
  t.equal(queue.size, 1);
  t.same(places(queue.peekRun(PIECE, 32)), [[9, 0]], 'the honest one is still there');
});

void t.test('a cancelled block is gone from the middle of its run', async (t) => {
  const queue = new RequestQueue();
  for (let block = 0; block < 4; block++) queue.push(0, block * BLOCK, BLOCK);
  t.ok(queue.cancel(0, BLOCK));
  t.notOk(queue.cancel(0, BLOCK));
  t.same(places(queue.peekRun(PIECE, 32)), [[0, 0]]);
  queue.take(queue.peekRun(PIECE, 32));
  t.same(places(queue.peekRun(PIECE, 32)), [
    [0, 2],
    [0, 3],
  ]);
  t.same(places(queue.clear()), [
    [0, 2],
    [0, 3],
  ]);
  t.equal(queue.size, 0);
});

void t.test('whatever is asked, cancelled and taken, it behaves as a plain list would', async (t) => {
  for (let seed = 1; seed <= 50; seed++) {
    const random = new SeededRandom(seed);
    const queue = new RequestQueue();
    let list: { piece: number; begin: number; length: number }[] = [];
    for (let step = 0; step < 3_000; step++) {
      const piece = random.below(6);
      const begin = random.below(4) * BLOCK;
      const at = list.findIndex((entry) => entry.piece === piece && entry.begin === begin);
      switch (random.below(4)) {
        case 0:
        case 1:
          if (queue.has(piece, begin) !== at >= 0) return t.fail(`seed ${seed}, step ${step}: has`);
          if (at >= 0) break;
          queue.push(piece, begin, BLOCK);
          list.push({ piece, begin, length: BLOCK });
          break;
        case 2:
          if (queue.cancel(piece, begin) !== at >= 0) return t.fail(`seed ${seed}, step ${step}: cancel`);
          if (at >= 0) list.splice(at, 1);
          break;
        case 3: {
          const run = queue.peekRun(PIECE, 3);
          const same = run.every((entry, i) => entry.piece === list[i]?.piece && entry.begin === list[i]?.begin);
          if (!same || (run.length === 0) !== (list.length === 0)) return t.fail(`seed ${seed}, step ${step}: run`);
          queue.take(run);
          list = list.slice(run.length);
        }
      }
      if (queue.size !== list.length) return t.fail(`seed ${seed}, step ${step}: size ${queue.size}`);
    }
  }
  return t.pass('50 seeds');
});
