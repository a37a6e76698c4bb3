// A hashing thread that dies when the slab tells it to: its first byte is 1 to exit, 2 to throw where nobody catches.
import { workerData } from 'node:worker_threads';
import { runInThisContext } from 'node:vm';
import runHashTask from '../../engine/hashing/hash-worker.js';
import type { HashTask } from '../../engine/hashing/hash-task.js';

const slab = new Uint8Array((workerData as { slab: SharedArrayBuffer }).slab);
if (slab[0] === 3) throw new Error('this thread cannot start');

export default function dieOrHash(task: HashTask): Uint8Array | Promise<never> {
  if (slab[0] === 1) process.exit(1);
  if (slab[0] === 2) runInThisContext('const all = []; for (;;) all.push(new Array(1e5).fill(all.length + 0.5))');
  return runHashTask(task);
}
