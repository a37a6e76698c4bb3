// Slices of a thread's time.
import t from 'tap';
import { Slices } from '../../../shared-protocol/slices.js';

const SLICE_MS = 5;

/** Slices whose clock and turns are the test's. */
function scene() {
  let nowMs = 0;
  const turns: (() => void)[] = [];
  const pause = () => new Promise<void>((resolve) => void turns.push(resolve));
  const slices = new Slices(SLICE_MS, { nowMs: () => nowMs, pause });
  return { slices, turns, work: (ms: number) => void (nowMs += ms) };
}

void t.test('a slice is over when its time is up, and the next begins after the turn of others', async (t) => {
  const { slices, turns, work } = scene();
  work(SLICE_MS - 1);
  t.notOk(slices.isOver);
  work(1);
  t.ok(slices.isOver);
  const passed = slices.pass();
  work(100);
  turns[0]!();
  await passed;
  t.notOk(slices.isOver, 'however long the others took');
  work(SLICE_MS);
  t.ok(slices.isOver);
});

void t.test('hands that work side by side wait for one turn', async (t) => {
  const { slices, turns, work } = scene();
  work(SLICE_MS);
  const passed = [slices.pass(), slices.pass()];
  t.ok(slices.isOver, 'nobody begins meanwhile');
  t.equal(turns.length, 1);
  turns[0]!();
  await Promise.all(passed);
  work(SLICE_MS);
  void slices.pass();
  t.equal(turns.length, 2);
});
