// Releases as the updater meets them: an installation on disk, archives made by the system's tar (hostile ones too), and a
// server that hands out a manifest and files over HTTPS.
import { execFileSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { lstat, mkdir, readdir, readFile, readlink, realpath, symlink, writeFile } from 'node:fs/promises';
import type { ServerResponse } from 'node:http';
import { join, relative } from 'node:path';
import { temporaryDirectory } from './temporary-directory.js';
import { startUpstream } from './upstream.js';

export const MACHINE = { platform: 'linux', arch: 'x64' };

export interface ReleaseFiles {
  /** What package.json says. */
  readonly stated?: string;
  /** @default a program that prints its version */
  readonly main?: string;
}

/** A release's folder below `parent`. */
export async function writeRelease(parent: string, version: string, files: ReleaseFiles = {}): Promise<string> {
  const folder = join(parent, version);
  await mkdir(join(folder, 'dist', 'api'), { recursive: true });
  const stated = { name: 'swarmd', version: files.stated ?? version, type: 'module' };
  await writeFile(join(folder, 'package.json'), JSON.stringify(stated));
  await writeFile(join(folder, 'dist', 'api', 'main.js'), files.main ?? `console.log('${version}');`);
  return folder;
}

export async function makeInstallation(version = '0.1.0') {
  const root = await realpath(await temporaryDirectory());
  await mkdir(join(root, 'releases'));
  const running = await writeRelease(join(root, 'releases'), version);
  await symlink(join('releases', version), join(root, 'current'));
  return { root, running };
}

/** An archive of the release; `change` may spoil its folder before, `tar` brings further arguments. */
export async function packRelease(
  version: string,
  { change, tar = [], ...files }: ReleaseFiles & { change?: (folder: string) => unknown; tar?: readonly string[] } = {},
): Promise<Buffer> {
  const parent = await temporaryDirectory();
  const folder = await writeRelease(parent, version, files);
  await change?.(folder);
  const archive = join(parent, 'archive.tar.gz');
  execFileSync('tar', ['--create', '--gzip', '--file', archive, '--directory', parent, ...tar, version], {
    stdio: 'pipe',
  });
  return readFile(archive);
}

/** Everything below the folder: files with their content, links with where they lead. */
export async function contentOf(folder: string): Promise<string[]> {
  // With types links are not followed.
  const entries = await readdir(folder, { recursive: true, withFileTypes: true });
  const paths = entries.map(({ name, parentPath }) => join(parentPath, name)).sort();
  return Promise.all(
    paths.map(async (path) => {
      const name = relative(folder, path);
      const stats = await lstat(path);
      if (stats.isSymbolicLink()) return `${name} -> ${await readlink(path)}`;
      return stats.isFile() ? `${name}: ${(await readFile(path)).toString('base64')}` : `${name}/`;
    }),
  );
}

type Served = Buffer | ((response: ServerResponse) => unknown);

/** Serves what is set; everything else is 404. The manifest has one asset, for {@link MACHINE}. */
export async function startReleaseServer() {
  const served = new Map<string, Served>();
  const server = await startUpstream(
    (request, response) => {
      const found = served.get(request.url ?? '');
      if (typeof found === 'function') return found(response);
      response.statusCode = found ? 200 : 404;
      return response.end(found);
    },
    { https: true },
  );
  const origin = `https://localhost:${server.port}`;
  return {
    origin,
    manifestUrl: `${origin}/manifest.json`,
    served,
    close: () => server.close(),
    requests: server.requests,
    /** `change` is merged into what the manifest says of the asset. */
    publish(version: string, archive: Buffer, change: object = {}, channel: 'stable' | 'beta' = 'stable') {
      const filename = `swarmd-${version}-linux-x64.tar.gz`;
      const asset = {
        filename,
        url: `${origin}/${filename}`,
        sha256: createHash('sha256').update(archive).digest('hex'),
        size: archive.length,
        ...change,
      };
      served.set(`/${filename}`, archive);
      served.set(
        '/manifest.json',
        Buffer.from(JSON.stringify({ channels: { [channel]: { version, assets: [asset] } } })),
      );
    },
  };
}
