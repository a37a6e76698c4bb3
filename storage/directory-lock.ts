// One process per directory. The kernel keeps the lock (flock), so it ends with the process, kill -9 included, and holds
// between containers on one machine. Node has no flock; util-linux's takes it on a descriptor it inherits, and the
// lock belongs to the open file that both share. Without that program: owner's pid and start time in the file.
import { spawnSync } from 'node:child_process';
import { closeSync, ftruncateSync, openSync, readFileSync, writeSync } from 'node:fs';
import { AppError } from '../shared-protocol/errors.js';
import { PRIVATE_FILE_MODE } from './atomic-file.js';

export interface DirectoryLock {
  release(): void;
}

interface Owner {
  readonly pid: number;
  /** The process's start in clock ticks since boot (field 22 of /proc/<pid>/stat); null where there is no /proc. */
  readonly startTicks: string | null;
}

const FLOCK_HELD_ELSEWHERE = 1;

/** @throws AppError `STORAGE_LOCKED` */
export function lockFile(path: string, flockProgram = 'flock'): DirectoryLock {
  const descriptor = openSync(path, 'a+', PRIVATE_FILE_MODE);
  try {
    const owner = readOwner(path);
    const held = takeFlock(descriptor, flockProgram) ?? isAlive(owner);
    if (held) {
      const by = owner ? ` by process ${owner.pid}` : '';
      throw new AppError('STORAGE_LOCKED', `data directory in use${by} (${path})`);
    }
    ftruncateSync(descriptor, 0);
    writeSync(descriptor, JSON.stringify({ pid: process.pid, startTicks: startTicks(process.pid) } satisfies Owner));
  } catch (error) {
    closeSync(descriptor);
    throw error;
  }
  // The file stays, empty: removing it would let two processes hold locks on different files of one name.
  return {
    release: () => {
      ftruncateSync(descriptor, 0);
      closeSync(descriptor);
    },
  };
}

/** Whether another process holds it; null when there is no flock to ask. Takes it otherwise. */
function takeFlock(descriptor: number, program: string): boolean | null {
  const { status, error } = spawnSync(program, ['-n', '3'], { stdio: ['ignore', 'ignore', 'ignore', descriptor] });
  if (error) return null;
  if (status === 0) return false;
  if (status === FLOCK_HELD_ELSEWHERE) return true;
  throw new AppError('STORAGE_FAILED', `storage: this file system cannot lock files (flock: ${status})`);
}

function readOwner(path: string): Owner | null {
  try {
    const parsed: unknown = JSON.parse(readFileSync(path, 'utf8'));
    if (typeof parsed !== 'object' || parsed === null || !('pid' in parsed) || typeof parsed.pid !== 'number')
      return null;
    const ticks = 'startTicks' in parsed && typeof parsed.startTicks === 'string' ? parsed.startTicks : null;
    return { pid: parsed.pid, startTicks: ticks };
  } catch {
    return null;
  }
}

function isAlive(owner: Owner | null): boolean {
  if (!owner) return false;
  try {
    process.kill(owner.pid, 0);
  } catch (error) {
    if (error instanceof Error && 'code' in error && error.code === 'ESRCH') return false;
  }
  // A later process may have been given the same pid; not the same start time.
  return owner.startTicks === startTicks(owner.pid);
}

function startTicks(pid: number): string | null {
  try {
    const stat = readFileSync(`/proc/${pid}/stat`, 'utf8');
    // The second field is the program's name in parentheses and may hold spaces; 20 fields follow it up to the 22nd.
    return stat.slice(stat.lastIndexOf(')') + 2).split(' ')[19] ?? null;
  } catch {
    return null;
  }
}
