// What a tick costs the main thread of a page, from a trace of Chromium: everything that the thread does from one tick to
// the next, so parsing, state, style, layout and paint alike, on a page that does nothing else. Pure.
import { z } from 'zod';

/** What has to be traced: the tasks of the threads, and the marks of the page. */
export const TRACE_CATEGORIES = ['toplevel', 'blink.user_timing'];
const TASK = 'ThreadControllerImpl::RunTask';
/** W3C Long Tasks. */
const LONG_TASK_MS = 50;

/** Times in microseconds; `tdur`: on a processor, where `dur` counts waiting for one as well. */
const traceSchema = z.object({
  traceEvents: z.array(
    z.object({
      name: z.string(),
      pid: z.number(),
      tid: z.number(),
      ts: z.number(),
      dur: z.number().default(0),
      tdur: z.number().default(0),
    }),
  ),
});

export interface TickCost {
  readonly cpuMs: number;
  /** The sum of its tasks by the clock: more than `cpuMs` on a machine that does something else as well. */
  readonly wallMs: number;
}

export interface PageTrace {
  readonly ticks: readonly TickCost[];
  /** How many tasks took 50 ms or more by the clock. */
  readonly longTasks: number;
}

/** `mark`: the name of the mark that the page sets when a tick comes. What is before the first and after the last is left out. */
export function readTrace(json: string, mark: string): PageTrace {
  const { traceEvents } = traceSchema.parse(JSON.parse(json));
  const marks = traceEvents.filter(({ name }) => name === mark).sort((a, b) => a.ts - b.ts);
  const ticks = marks.slice(0, -1).map(() => ({ cpuMs: 0, wallMs: 0 }));
  let longTasks = 0;
  for (const { name, pid, tid, ts, dur, tdur } of traceEvents) {
    if (name !== TASK || pid !== marks[0]?.pid || tid !== marks[0].tid) continue;
    // The task in which the mark was set begins before it.
    const tick = ticks[marks.findLastIndex((each) => each.ts <= ts + dur)];
    if (!tick) continue;
    tick.cpuMs += tdur / 1e3;
    tick.wallMs += dur / 1e3;
    if (dur / 1e3 >= LONG_TASK_MS) longTasks++;
  }
  return { ticks, longTasks };
}
