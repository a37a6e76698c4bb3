// What a trace says of ticks.
import t from 'tap';
import { readTrace } from '../../../../bench/measure/page-trace.js';

const MARK = 'tick';
const task = (ts: number, dur: number, tdur: number, tid = 1) => ({
  ...{ name: 'ThreadControllerImpl::RunTask', pid: 1, tid, ts, dur, tdur },
});
const mark = (ts: number) => ({ name: MARK, pid: 1, tid: 1, ts });
const read = (...traceEvents: readonly object[]) => readTrace(JSON.stringify({ traceEvents }), MARK);

void t.test('a tick is from the task in which it comes to the next one', async (t) => {
  const { ticks } = read(
    ...[task(0, 500_000, 500_000), mark(1_000_100), mark(2_000_100), mark(3_000_100)],
    ...[task(1_000_000, 4_000, 3_000), task(1_010_000, 2_000, 2_000), task(1_900_000, 500, 500)],
    ...[task(2_000_000, 1_000, 1_000), task(3_000_000, 9_000, 9_000)],
  );
  t.same(ticks, [
    { cpuMs: 5.5, wallMs: 6.5 },
    { cpuMs: 1, wallMs: 1 },
  ]);
});

void t.test('other threads, other processes and other events do not count', async (t) => {
  const { ticks } = read(
    ...[mark(100), mark(10_000), task(200, 1_000, 1_000), task(200, 1_000, 1_000, 2)],
    ...[
      { ...task(200, 1_000, 1_000), pid: 2 },
      { ...task(200, 1_000, 1_000), name: 'Paint' },
    ],
  );
  t.same(ticks, [{ cpuMs: 1, wallMs: 1 }]);
});

void t.test('long tasks are long by the clock', async (t) => {
  const { longTasks } = read(mark(0), mark(900_000), task(10, 50_000, 5_000), task(60_000, 49_000, 49_000));
  t.equal(longTasks, 1);
});

void t.test('a page that never ticked', async (t) => t.same(read(task(0, 1, 1)), { ticks: [], longTasks: 0 }));
