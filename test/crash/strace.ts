// Records what a program does to its files with strace, which has to be there and to be allowed.
import { spawnSync } from 'node:child_process';
import { readFile } from 'node:fs/promises';
import { waitUntil } from '../support/peers/wait-until.js';

const CALLS = [
  ...['openat', 'open', 'creat', 'lseek', 'write', 'writev', 'pwrite64', 'pwritev', 'pwritev2', 'sendto', 'sendmsg'],
  ...['fsync', 'fdatasync', 'sync_file_range', 'msync', 'truncate', 'ftruncate', 'fallocate', 'copy_file_range'],
  ...['rename', 'renameat', 'renameat2', 'link', 'linkat', 'unlink', 'unlinkat', 'mkdir', 'mkdirat', 'rmdir'],
];
const LONGEST_WRITE = 8 * 1024 * 1024;
const FLUSH_MS = 10_000;

export interface Recording {
  /** To be put before the program: strace -D leaves it the place of our child. */
  readonly launcher: readonly string[];
  /** The log, once the program has ended. */
  finished(): Promise<string>;
}

/** Why nothing can be recorded here; null when it can. */
export function whyNoStrace(): string | null {
  const { error, status, stderr } = spawnSync('strace', ['-D', '-f', '-o', '/dev/null', 'true'], { encoding: 'utf8' });
  if (error) return 'strace is not installed';
  return status === 0 ? null : `strace may not trace here: ${stderr.trim()}`;
}

export async function straceInto(file: string): Promise<Recording> {
  return {
    launcher: [
      ...['strace', '-D', '-f', '--seccomp-bpf', '-y', '-xx', '-s', String(LONGEST_WRITE), '-o', file],
      ...['-e', `trace=${CALLS.join(',')}`, '--'],
    ],
    async finished() {
      return waitUntil('the end of the trace', FLUSH_MS, async () => {
        const log = await readFile(file, 'latin1');
        const [program] = /^\d+/.exec(log) ?? [];
        return new RegExp(`^${program} +\\+\\+\\+ (exited|killed)`, 'm').test(log) ? log : undefined;
      });
    },
  };
}
