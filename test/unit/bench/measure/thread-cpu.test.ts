import t from 'tap';
import { mainThreadCpuMs, parseSchedstatMs } from '../../../../bench/measure/thread-cpu.js';

void t.test('nanoseconds on a processor, as milliseconds', async (t) => {
  t.equal(parseSchedstatMs('133515490 36060538 99\n'), 133.51549);
  t.throws(() => parseSchedstatMs('cpu 1 2'), /not understood/);
});

void t.test('work costs, waiting does not', async (t) => {
  const before = mainThreadCpuMs();
  while (mainThreadCpuMs() - before < 20);
  const worked = mainThreadCpuMs();
  await new Promise((resolve) => setTimeout(resolve, 200));
  t.ok(mainThreadCpuMs() - worked < 150);
});
