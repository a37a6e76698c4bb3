// What is done once for a torrent: never again where it may have been done, and again where it is known that it was not.
import t from 'tap';
import { AppError } from '../../../../../shared-protocol/errors.js';
import { RulesBench } from '../../../../support/rules-bench.js';

const RETRIED_S = 600;
const move = { action: 'move', path: '/elsewhere' };
const announce = { action: 'announce' };

async function startWith(actions: readonly object[]) {
  const bench = await RulesBench.begin();
  await bench.add('a');
  const front = bench.front();
  await front.automations.create(bench.account, bench.rule({ actions }));
  return { bench, ...front };
}

void t.test('a move that failed is tried again after ten minutes, and what was done beside it is not', async (t) => {
  const { bench, runs } = await startWith([announce, move]);
  bench.onAct = (act) => {
    if (act === 'a move') throw new AppError('DISK_FULL', 'test');
  };
  for (let round = 0; round < 3; round++) await runs.look();
  t.same(bench.acts, ['a announce', 'a move']);
  bench.now += RETRIED_S - 1;
  await runs.look();
  t.equal(bench.acts.length, 2, 'not before');
  bench.onAct = () => undefined;
  bench.now += 1;
  for (let round = 0; round < 3; round++) await runs.look();
  t.same(bench.acts, ['a announce', 'a move', 'a move']);
});

void t.test('what a stop kept from being done is done after it, at this front and at the next', async (t) => {
  for (const isNext of [false, true]) {
    const { bench, runs } = await startWith([announce, move]);
    let stopped: Promise<void> | undefined;
    bench.onAct = () => void (stopped ??= runs.stop());
    await runs.look();
    await stopped;
    t.same(bench.acts, ['a announce']);
    const after = isNext ? bench.front().runs : runs;
    after.start();
    await after.look();
    await after.stop();
    t.same(bench.acts, ['a announce', 'a move']);
  }
});

void t.test('what a crash interrupts is not done again: it may have been done', async (t) => {
  const { bench, runs } = await startWith([announce]);
  const asked = new Promise<void>((resolve) => {
    bench.onAct = () => {
      resolve();
      return new Promise(() => undefined);
    };
  });
  void runs.look();
  await asked;
  await bench.front().runs.look();
  t.same(bench.acts, ['a announce']);
});

void t.test('while nothing can be written down nothing is done, and then it is', async (t) => {
  const { bench, runs } = await startWith([announce]);
  bench.isStoreBroken = true;
  await runs.look();
  t.same(bench.acts, []);
  bench.isStoreBroken = false;
  for (let round = 0; round < 2; round++) await runs.look();
  t.same(bench.acts, ['a announce']);
});
