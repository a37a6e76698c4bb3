// What a run leaves behind if nobody cleans up: processes and folders in memory. Both are registered here the moment
// they exist and undone synchronously on the way out, whatever the way out is: the end, an error, Ctrl-C.
import type { ChildProcess } from 'node:child_process';
import { rmSync } from 'node:fs';
import { constants } from 'node:os';

const children = new Set<ChildProcess>();
const folders = new Set<string>();

export function endOnExit(child: ChildProcess): void {
  children.add(child);
  child.once('exit', () => children.delete(child));
}

export function removeOnExit(folder: string): void {
  folders.add(folder);
}

export function removeNow(folder: string): void {
  rmSync(folder, { recursive: true, force: true });
  folders.delete(folder);
}

/** Once, before anything is started. */
export function installCleanUp(): void {
  process.on('exit', () => {
    for (const child of children) child.kill('SIGKILL');
    // A child that is being killed may still write.
    for (const folder of folders) rmSync(folder, { recursive: true, force: true, maxRetries: 5 });
  });
  for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) {
    process.on(signal, () => process.exit(128 + constants.signals[signal]));
  }
}
