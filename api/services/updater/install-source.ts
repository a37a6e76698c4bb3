// How this program came onto the machine, found once at each start (docs/api.md, UpdaterConfigDTO): from a Debian
// package, as an AppImage, or by hand. Who brought it is who updates it.
import { readdir, readFile, realpath } from 'node:fs/promises';
import { join } from 'node:path';
import type { InstallSource } from './updates.js';
import { withoutTrailingSlashes } from '../../../shared-protocol/trailing-slashes.js';

const DPKG_INFO = '/var/lib/dpkg/info';
/** With the architecture where dpkg knows several. */
const PACKAGE_LIST = /^swarmd(?::[a-z0-9-]+)?\.list$/;

export interface Traces {
  /** A file of this program, symbolic links resolved. */
  readonly programPath: string;
  /** The files that dpkg lists of the package, one absolute path a line; empty without one. */
  readonly packagedFiles: string;
  /** `APPDIR`: where the AppImage is mounted that this or a parent process was started from. */
  readonly appDir: string | undefined;
}

/** A variable that a parent's AppImage left behind says nothing about this program: it has to lie in the mount. */
export function installSourceOf({ programPath, packagedFiles, appDir }: Traces): InstallSource {
  if (packagedFiles.split('\n').includes(programPath)) return 'apt';
  return appDir && programPath.startsWith(`${withoutTrailingSlashes(appDir)}/`) ? 'appimage' : 'manual';
}

/** Never fails: what cannot be read is not there. */
export async function detectInstallSource(
  file: string,
  env: Readonly<Record<string, string | undefined>>,
  dpkgInfo = DPKG_INFO,
): Promise<InstallSource> {
  const [programPath, appDir, packagedFiles] = await Promise.all([
    resolved(file),
    env['APPDIR'] ? resolved(env['APPDIR']) : undefined,
    packagedFilesIn(dpkgInfo),
  ]);
  return installSourceOf({ programPath, packagedFiles, appDir });
}

async function packagedFilesIn(dpkgInfo: string): Promise<string> {
  try {
    const lists = (await readdir(dpkgInfo)).filter((name) => PACKAGE_LIST.test(name));
    return (await Promise.all(lists.map((name) => readFile(join(dpkgInfo, name), 'utf8')))).join('\n');
  } catch {
    return '';
  }
}

async function resolved(path: string): Promise<string> {
  try {
    return await realpath(path);
  } catch {
    return path;
  }
}
