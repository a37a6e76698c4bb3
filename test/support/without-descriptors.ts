// A process that has no descriptors left, for as long as something is done.
import { execFileSync, spawn } from 'node:child_process';
import { once } from 'node:events';
import { readdir } from 'node:fs/promises';

/** Whatever is open stays so, and nothing more can be opened until `run` has resolved or rejected. */
export async function withoutDescriptors(run: () => Promise<void>): Promise<void> {
  const [pid, now] = [String(process.pid), ['--nofile', '--output=SOFT', '--noheadings']];
  const before = String(execFileSync('prlimit', ['--pid', pid, ...now])).trim();
  // No process can be begun then: this one waits already.
  const undo = spawn('sh', ['-c', `read _ && exec prlimit --pid ${pid} --nofile=${before}:`]);
  const { length: open } = await readdir('/proc/self/fd');
  execFileSync('prlimit', ['--pid', pid, `--nofile=${open - 1}:`]);
  try {
    await run();
  } finally {
    undo.stdin.end('\n');
    await once(undo, 'exit');
  }
}
