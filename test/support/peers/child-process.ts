// Programs that tests start, as any are (fleet/child-process.ts), and directories: both go with the test, whatever becomes of it.
import { rmSync } from 'node:fs';
import { killChildren } from '../../../fleet/child-process.js';

export { startChild, type Child, type ExitStatus, type StartChildOptions } from '../../../fleet/child-process.js';

const directories = new Set<string>();

/** Removed at the end of this process, should the test not come to it. */
export function removeAtExit(directory: string): { readonly done: () => void } {
  directories.add(directory);
  return { done: () => void directories.delete(directory) };
}

function cleanUp(): void {
  killChildren();
  for (const directory of directories) rmSync(directory, { recursive: true, force: true });
}

process.on('exit', cleanUp);
// tap ends a test that takes too long by SIGTERM, or by SIGALRM where the file runs by itself; neither runs `exit`
// handlers.
for (const signal of ['SIGTERM', 'SIGALRM', 'SIGINT', 'SIGHUP'] as const) {
  process.once(signal, () => {
    cleanUp();
    process.kill(process.pid, signal);
  });
}
