// What a daemon holds at a moment: memory of the process, of both threads' heaps after their garbage is collected and of
// buffers outside of these, descriptors, and whatever keeps its loops alive, timers by themselves.
import { readdirSync } from 'node:fs';
import { MAIN_THREAD, type ThreadInspector } from '../support/thread-inspector.js';
import { residentBytes } from '../support/resident-bytes.js';

const ENGINE_THREAD = 'engine';
const MB = 1e6;

export const MEASURES = [
  'resident MB',
  'heap of main MB',
  'heap of engine MB',
  'buffers of main MB',
  'buffers of engine MB',
  'descriptors',
  'resources of main',
  'resources of engine',
  'timers of main',
  'timers of engine',
] as const;
export type Measure = (typeof MEASURES)[number];
export type Sample = Readonly<Record<Measure, number>>;

interface ThreadState {
  readonly heapUsed: number;
  readonly external: number;
  readonly resources: readonly string[];
}

/** `process` is global in every thread. */
const LOOK = `(() => {
  const { heapUsed, external } = process.memoryUsage();
  return { heapUsed, external, resources: process.getActiveResourcesInfo() };
})()`;

export async function takeSample(pid: number, inspector: ThreadInspector): Promise<Sample> {
  const main = await look(inspector, MAIN_THREAD);
  const engine = await look(inspector, ENGINE_THREAD);
  return {
    'resident MB': residentBytes({ pid }) / MB,
    'heap of main MB': main.heapUsed / MB,
    'heap of engine MB': engine.heapUsed / MB,
    'buffers of main MB': main.external / MB,
    'buffers of engine MB': engine.external / MB,
    descriptors: readdirSync(`/proc/${pid}/fd`).length,
    'resources of main': main.resources.length,
    'resources of engine': engine.resources.length,
    'timers of main': timersIn(main),
    'timers of engine': timersIn(engine),
  };
}

async function look(inspector: ThreadInspector, thread: string): Promise<ThreadState> {
  // What finalizers let go of goes with the second one.
  await inspector.ask(thread, 'HeapProfiler.collectGarbage');
  await inspector.ask(thread, 'HeapProfiler.collectGarbage');
  return inspector.evaluate<ThreadState>(thread, LOOK);
}

function timersIn({ resources }: ThreadState): number {
  return resources.filter((name) => name === 'Timeout' || name === 'Immediate').length;
}
