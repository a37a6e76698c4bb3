// Puts a release in the place of the installed one: download, verify, unpack beside it, try it, swap. Until the swap,
// which is one rename, nothing that is installed has changed; after it the release before is still there, for an
// administrator who sets the link back. The new one runs from the next start on, which is the supervisor's business.
import { execFile } from 'node:child_process';
import { lstat, mkdir, mkdtemp, readdir, readFile, rename, rm, symlink } from 'node:fs/promises';
import { basename, join } from 'node:path';
import { promisify } from 'node:util';
import { syncDirectory } from '../../../storage/atomic-file.js';
import type { Egress } from '../../egress/egress.js';
import { downloadAsset } from './download.js';
import { asUpdateFailure, updateFailed } from './failure.js';
import type { Installation } from './installation.js';
import type { Asset } from './manifest.js';

const HOUR_MS = 3_600_000;
const STAGING_PREFIX = '.staging-';
/** Longer than any installation takes. */
const STAGING_STALE_MS = 24 * HOUR_MS;
const TRIAL_MS = 60_000;
const SYNC_MS = 5 * 60_000;
/** The file that a release has to bring, from its folder. */
const MAIN = join('dist', 'api', 'main.js');

export interface NewRelease {
  readonly version: string;
  readonly asset: Asset;
}

/** Resolves when the release is what starts next, also when it was already. @throws RequestError `UPDATE_FAILED` */
export async function installRelease(
  egress: Pick<Egress, 'read'>,
  installation: Installation,
  { version, asset }: NewRelease,
  signal: AbortSignal,
): Promise<void> {
  if (basename(installation.installed) === version) return;
  await removeStale(installation.releases);
  // In the same folder, so on the same volume.
  const staging = await mkdtemp(join(installation.releases, STAGING_PREFIX));
  try {
    const archive = join(staging, 'release.tar.gz');
    const tree = join(staging, 'release');
    await downloadAsset(egress, asset, archive, signal);
    await mkdir(tree);
    // Only here: nothing else needs the package that reads archives.
    const { unpackRelease } = await import('./archive.js');
    await unpackRelease(archive, tree, signal);
    await tryOut(tree, version, signal);
    await syncVolume(staging, signal);
    signal.throwIfAborted();
    await swap(installation, staging, version);
  } catch (thrown) {
    throw signal.aborted ? updateFailed('given up') : asUpdateFailure('installation', thrown);
  } finally {
    await rm(staging, { recursive: true, force: true }).catch(() => undefined);
  }
}

/** Checks that the release says what it is, and starts on this machine. */
async function tryOut(tree: string, version: string, signal: AbortSignal): Promise<void> {
  const stated = await statedVersion(tree);
  if (stated !== version) throw updateFailed(`the archive is refused: it does not hold version ${version}`);
  const main = join(tree, MAIN);
  const isThere = await lstat(main).then(
    (stats) => stats.isFile(),
    () => false,
  );
  if (!isThere) throw updateFailed('the archive is refused: it does not hold the program');
  let answer: string;
  try {
    const options = { cwd: tree, signal, timeout: TRIAL_MS, env: { PATH: process.env['PATH'] ?? '' } };
    answer = (await promisify(execFile)(process.execPath, [main, '--version'], options)).stdout.trim();
  } catch {
    throw updateFailed(`version ${version} does not start on this machine`);
  }
  if (answer !== version) throw updateFailed(`version ${version} says that it is another`);
}

async function statedVersion(tree: string): Promise<string | null> {
  try {
    const stated: unknown = JSON.parse(await readFile(join(tree, 'package.json'), 'utf8'));
    const isOurs = typeof stated === 'object' && stated !== null && 'name' in stated && stated.name === 'swarmd';
    return isOurs && 'version' in stated && typeof stated.version === 'string' ? stated.version : null;
  } catch {
    return null;
  }
}

async function swap(installation: Installation, staging: string, version: string): Promise<void> {
  const { root, releases, current, running } = installation;
  const place = join(releases, version);
  if (place === running) throw updateFailed('this program runs from where the new version would go');
  // What is there was left by a swap that did not come to its end, or is an older installation of the same.
  await rename(place, join(staging, 'replaced')).catch((error: NodeJS.ErrnoException) => {
    if (error.code !== 'ENOENT') throw error;
  });
  await rename(join(staging, 'release'), place);
  await syncDirectory(releases);
  const link = join(staging, 'current');
  await symlink(join(basename(releases), version), link);
  await rename(link, current);
  await syncDirectory(root);
}

/** A swap must not become durable before the files that it leads to. */
async function syncVolume(folder: string, signal: AbortSignal): Promise<void> {
  await promisify(execFile)('sync', ['--file-system', folder], { signal, timeout: SYNC_MS });
}

/** Removes what a process that was killed has left behind. */
async function removeStale(releases: string): Promise<void> {
  for (const name of await readdir(releases)) {
    if (!name.startsWith(STAGING_PREFIX)) continue;
    const path = join(releases, name);
    const stats = await lstat(path).catch(() => null);
    if (stats && Date.now() - stats.mtimeMs > STAGING_STALE_MS) await rm(path, { recursive: true, force: true });
  }
}
