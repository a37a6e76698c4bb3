// Which job comes next: the first of the list whose kind has room. What measures begins when everything else has ended.
import { AT_A_TIME, JOBS_AT_A_TIME, type Job, type Kind } from './plan.js';

export async function runAll(jobs: readonly Job[], run: (job: Job) => Promise<void>): Promise<void> {
  await runTogether(
    jobs.filter(({ kind }) => kind !== 'measuring'),
    run,
  );
  await runTogether(
    jobs.filter(({ kind }) => kind === 'measuring'),
    run,
  );
}

/**
 * Failures that are looked at once more. More of them are no chance, and would take the time that a run has.
 * docs/decisions/0035-a-second-try-alone.md.
 */
const MAX_AGAIN = 8;

/** Runs each file that failed once more when everything else has ended, alone in a process. */
export async function runAgain(failed: readonly string[], run: (job: Job) => Promise<void>): Promise<void> {
  if (failed.length > MAX_AGAIN) return;
  for (const file of failed) await run({ kind: 'measuring', files: [file] });
}

async function runTogether(jobs: readonly Job[], run: (job: Job) => Promise<void>): Promise<void> {
  const waiting = [...jobs];
  const underWay = new Map<Promise<void>, Kind>();
  while (waiting.length > 0 || underWay.size > 0) {
    for (let next = nextOf(waiting, underWay); next >= 0; next = nextOf(waiting, underWay)) {
      const [job] = waiting.splice(next, 1);
      const promise: Promise<void> = run(job!).finally(() => underWay.delete(promise));
      underWay.set(promise, job!.kind);
    }
    await Promise.race(underWay.keys());
  }
}

/** Its place among those that wait; -1 when there is none that may begin. */
function nextOf(waiting: readonly Job[], underWay: ReadonlyMap<unknown, Kind>): number {
  if (underWay.size >= JOBS_AT_A_TIME) return -1;
  const kinds = [...underWay.values()];
  return waiting.findIndex(({ kind }) => kinds.filter((other) => other === kind).length < AT_A_TIME[kind]);
}
