// Which process writes into files of folders, by writes.py. Needs root.
import { spawnSync } from 'node:child_process';
import { join } from 'node:path';
import { startChild } from './child-process.js';
import { PYTHON } from './python-session.js';
import { scriptPath } from './script-path.js';
import { waitUntil } from './wait-until.js';

const SCRIPT = join('test', 'support', 'peers', 'writes.py');
const START_TIMEOUT_MS = 10_000;

export interface SeenWrite {
  readonly pid: number;
  readonly path: string;
  /** Milliseconds of Unix time at which the file was written last. */
  readonly atMs: number;
}

export interface WatchedWrites {
  stop(): Promise<void>;
}

/** Why writes cannot be watched here, or false; for tap's `skip`. */
export function writesUnavailable(): string | false {
  const { status, stderr } = spawnSync(PYTHON, [scriptPath(SCRIPT)], { encoding: 'utf8' });
  return status === 0 ? false : `fanotify: ${stderr.trim().split('\n').at(-1) ?? 'not available'}`;
}

/** Of files directly in the folders, which are there already. `onWrite` is called soon after. */
export async function watchWrites(
  folders: readonly string[],
  onWrite: (write: SeenWrite) => void,
): Promise<WatchedWrites> {
  let isReady = false;
  const child = await startChild(PYTHON, ['-u', scriptPath(SCRIPT), ...folders], {
    onLine: (line) => {
      const told = JSON.parse(line) as SeenWrite | 'ready'; // written by writes.py
      if (told === 'ready') isReady = true;
      else onWrite(told);
    },
  });
  await waitUntil(
    'writes are seen',
    START_TIMEOUT_MS,
    () => isReady || undefined,
    () => child.stderr,
  );
  return { stop: async () => void (await child.stop()) };
}
