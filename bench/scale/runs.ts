// One process of a program with its torrents: started until it lists all of them, filled, left alone, ended.
import type { LibraryProgram, RunningLibrary } from '../libraries/index.js';
import { cpuSeconds } from '../measure/process-metrics.js';
import { proportionalBytes } from '../measure/private-memory.js';
import type { TorrentSet } from '../support/torrent-set.js';
import type { FillFigures } from './sample.js';
import { pause, until } from '../support/wait.js';

const START_TIMEOUT_MS = 180_000;
const COMPLETE_TIMEOUT_MS = 20 * 60_000;
const ADDS_AT_A_TIME = 32;
const POLL_MS = 10;
const COMPLETE_POLL_MS = 500;

export interface Started<Library extends RunningLibrary = RunningLibrary> {
  readonly library: Library;
  /** From the spawn until a list that had all of them came. */
  readonly startMs: number;
}

export async function startAndList(
  program: LibraryProgram,
  home: string,
  set: TorrentSet,
  expected: number,
): Promise<Started> {
  const library = await program.start(home, set);
  const spawnedMs = performance.now();
  const deadlineMs = spawnedMs + START_TIMEOUT_MS;
  try {
    for (;;) {
      const listing = await library.list().catch(() => null);
      const startMs = performance.now() - spawnedMs;
      if (listing && listing.count() >= expected) return { library, startMs };
      library.check();
      if (performance.now() > deadlineMs) throw new Error(`not all listed within ${START_TIMEOUT_MS} ms`);
      await pause(POLL_MS);
    }
  } catch (error) {
    await library.kill();
    throw error;
  }
}

/**
 * Adds the first `count` of the set, and waits until all are seeds. The first half is added by a client that waits for each
 * answer, the others 32 at a time.
 */
export async function fill(library: RunningLibrary, count: number): Promise<FillFigures> {
  const half = Math.floor(count / 2);
  const [startMs, cpuBefore] = [performance.now(), cpuSeconds(library.pid)];
  const addsPerSecond = await addRange(library, 0, half, 1);
  const addsPerSecondAtOnce = await addRange(library, half, count, ADDS_AT_A_TIME);
  const cpuMsPerAdd = (1_000 * (cpuSeconds(library.pid) - cpuBefore)) / count;
  await allComplete(library, count);
  return { addsPerSecond, addsPerSecondAtOnce, cpuMsPerAdd, completeSeconds: (performance.now() - startMs) / 1_000 };
}

/** Adds those from `from` up to `to`, so many at a time; how many were answered in a second. */
async function addRange(library: RunningLibrary, from: number, to: number, atATime: number): Promise<number> {
  const startMs = performance.now();
  let next = from;
  const adder = async () => {
    while (next < to) await library.add(next++);
  };
  await Promise.all(Array.from({ length: atATime }, adder));
  return (1_000 * (to - from)) / (performance.now() - startMs);
}

export function allComplete(library: RunningLibrary, count: number): Promise<void> {
  const options = { timeoutMs: COMPLETE_TIMEOUT_MS, everyMs: COMPLETE_POLL_MS };
  return until('all are seeds', async () => (await library.complete()) >= count, options);
}

/** Leaves it alone for so long and says what it has then: a garbage collector that waits for quiet gets its quiet. */
export async function memoryAtRest(library: RunningLibrary, restSeconds: number): Promise<number> {
  await pause(restSeconds * 1_000);
  return proportionalBytes(library.pid);
}

/** Per cent of one core. */
export async function idleCpuPercent(library: RunningLibrary, seconds: number): Promise<number> {
  const [before, startMs] = [cpuSeconds(library.pid), performance.now()];
  await pause(seconds * 1_000);
  return (100 * (cpuSeconds(library.pid) - before)) / ((performance.now() - startMs) / 1_000);
}

/** Milliseconds until the process is gone. */
export async function stopTimed(library: RunningLibrary): Promise<number> {
  const startMs = performance.now();
  await library.stop();
  return performance.now() - startMs;
}
