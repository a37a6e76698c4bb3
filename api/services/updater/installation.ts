// Where this program lies, if it lies there in a way that can be updated: `<root>/releases/<version>/` for each release
// and the link `<root>/current` to the one that is started. Nothing else is ever touched: a git checkout, or a folder
// that a user unpacked by hand, is its owner's business.
import { constants } from 'node:fs';
import { access, lstat, realpath } from 'node:fs/promises';
import { basename, dirname, join } from 'node:path';
import { updateFailed } from './failure.js';

/** Absolute paths, symbolic links resolved. */
export interface Installation {
  readonly root: string;
  readonly releases: string;
  /** The link; what it leads to is started next. */
  readonly current: string;
  /** The release that `current` leads to now. */
  readonly installed: string;
  /** The release that this process is of. */
  readonly running: string;
}

/** `programRoot`: the folder of our package.json. @throws RequestError `UPDATE_FAILED` when it is no such place */
export async function locateInstallation(programRoot: string): Promise<Installation> {
  const notOurs = updateFailed('this copy of the program was not installed as a release, update it by hand');
  const running = await realpath(programRoot);
  const releases = dirname(running);
  const root = dirname(releases);
  if (basename(releases) !== 'releases') throw notOurs;
  for (const folder of [running, releases, root]) if (await exists(join(folder, '.git'))) throw notOurs;
  const current = join(root, 'current');
  const installed = await linkedRelease(current);
  // It may lead to a release that was installed and not yet started.
  if (installed === null || dirname(installed) !== releases) throw notOurs;
  for (const folder of [root, releases]) await mustBeWritable(folder);
  return { root, releases, current, installed, running };
}

/** Null: no link, or one that leads nowhere. */
async function linkedRelease(link: string): Promise<string | null> {
  try {
    return (await lstat(link)).isSymbolicLink() ? await realpath(link) : null;
  } catch {
    return null;
  }
}

async function exists(path: string): Promise<boolean> {
  return lstat(path).then(
    () => true,
    () => false,
  );
}

async function mustBeWritable(folder: string): Promise<void> {
  try {
    await access(folder, constants.W_OK | constants.X_OK);
  } catch {
    throw updateFailed('the installation cannot be written to by the user this service runs as');
  }
}
