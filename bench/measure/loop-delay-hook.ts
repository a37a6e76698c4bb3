// Loaded into a daemon by `node --import` to watch the event-loop delay of its main and engine threads from inside:
// the daemon itself publishes no such figure. Worker threads inherit the flag; the hashing pool does not. On SIGUSR2
// each thread writes `<SWARMD_BENCH_LOOP_DIR>/<thread id>.json` with what it saw since the last signal; before the
// first it does not watch, so that runs that nobody watches cost what they cost users.
import { renameSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { monitorEventLoopDelay } from 'node:perf_hooks';
import { BroadcastChannel, isMainThread, threadId } from 'node:worker_threads';

const RESOLUTION_MS = 5;

const folder = process.env['SWARMD_BENCH_LOOP_DIR'];
if (folder !== undefined) watch(folder);

function watch(into: string): void {
  const delay = monitorEventLoopDelay({ resolution: RESOLUTION_MS });
  const report = () => {
    // What the histogram counts is the time between two ticks: the tick's own period is no delay.
    const late = (ns: number) => Math.max(0, ns / 1e6 - RESOLUTION_MS);
    const at = (percent: number) => late(delay.percentile(percent));
    const seen = { p50Ms: at(50), p99Ms: at(99), maxMs: late(delay.max) };
    delay.reset();
    delay.enable();
    const file = join(into, `${threadId}.json`);
    writeFileSync(`${file}.new`, JSON.stringify(seen));
    renameSync(`${file}.new`, file);
  };
  const channel = new BroadcastChannel('swarmd-bench-loop-delay');
  if (isMainThread) {
    process.on('SIGUSR2', () => {
      channel.postMessage(null);
      report();
    });
  } else {
    channel.onmessage = report;
  }
  channel.unref();
}
