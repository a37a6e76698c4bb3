// A disk on which LMDB cannot write any more which state is its newest, in this process: the environment is past use then.
import { closeSync, openSync, readdirSync, readFileSync, readlinkSync } from 'node:fs';

const O_DSYNC = 0o10000;

/** Has the descriptor by which LMDB writes meta pages of the file, the one that syncs by itself, lead to what takes no writes. */
export function loseMetaPages(file: string): void {
  for (const fd of readdirSync('/proc/self/fd').map(Number)) {
    if (pathOf(fd) !== file || (flagsOf(fd) & O_DSYNC) === 0) continue;
    closeSync(fd);
    while (openSync('/dev/null', 'r') < fd);
  }
}

function pathOf(fd: number): string {
  try {
    return readlinkSync(`/proc/self/fd/${fd}`);
  } catch {
    return '';
  }
}

function flagsOf(fd: number): number {
  return parseInt(/flags:\s*(\d+)/.exec(readFileSync(`/proc/self/fdinfo/${fd}`, 'utf8'))?.[1] ?? '0', 8);
}
