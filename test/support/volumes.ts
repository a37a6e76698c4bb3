// File systems of a daemon's own, in a mount namespace that goes with it: small ones that fill up, and read-only ones.
// Needs root. What is in them is reached through the daemon's process.
import { execFileSync } from 'node:child_process';
import { join } from 'node:path';

const COMMAND_TIMEOUT_MS = 10_000;

let unavailable: string | false | null = null;

/** Why there can be no such file systems here, or false; for tap's `skip`. */
export function volumesUnavailable(): string | false {
  unavailable ??= whyUnavailable();
  return unavailable;
}

function whyUnavailable(): string | false {
  try {
    execute('unshare', ['-m', 'sh', '-c', 'mount -t tmpfs -o size=1m none /mnt']);
    return false;
  } catch (error) {
    return `mount namespaces: ${error instanceof Error ? error.message.split('\n')[0] : 'not available'}`;
  }
}

export interface VolumeSpec {
  /** Where it is mounted. */
  readonly path: string;
  readonly sizeMib: number;
  /** Shell commands that run once it is mounted, in `path`; before it becomes read-only. */
  readonly fill?: string;
  readonly readOnly?: boolean;
}

/** For `startDaemon`: what comes before the program. It keeps its process id. */
export function withVolumes(...volumes: readonly VolumeSpec[]): readonly string[] {
  const script = volumes.flatMap(({ path, sizeMib, fill, readOnly }) => [
    `mount -t tmpfs -o size=${sizeMib}m none ${quoted(path)}`,
    ...(fill === undefined ? [] : [`(cd ${quoted(path)} && ${fill})`]),
    ...(readOnly === true ? [`mount -o remount,ro ${quoted(path)}`] : []),
  ]);
  return ['unshare', '-m', '--', 'sh', '-c', [...script, 'exec "$@"'].join(' && '), 'sh'];
}

/** `options` as for mount(8): `size=160m`, `rw`. */
export function remount(pid: number, path: string, options: string): void {
  execute('nsenter', ['-t', String(pid), '-m', 'mount', '-o', `remount,${options}`, path]);
}

/** The same file, as this process can reach it while the daemon runs. */
export function seenBy(pid: number, path: string): string {
  return join(`/proc/${pid}/root`, path);
}

function execute(command: string, args: readonly string[]): void {
  execFileSync(command, args, { stdio: 'pipe', timeout: COMMAND_TIMEOUT_MS });
}

export function quoted(path: string): string {
  return `'${path.replaceAll("'", `'\\''`)}'`;
}
