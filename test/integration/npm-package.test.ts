// The npm package: what is in it runs, beside the packages that it asks for, and nothing else is in it.
import { spawnSync } from 'node:child_process';
import { mkdir, symlink } from 'node:fs/promises';
import { join, resolve } from 'node:path';
import t from 'tap';
import { extract } from 'tar';
import { startChild } from '../support/peers/child-process.js';
import { makeScratch } from '../support/peers/scratch.js';
import { waitUntil } from '../support/peers/wait-until.js';

const TIMEOUT_MS = 60_000;
t.setTimeout(180_000);

interface Packed {
  readonly filename: string;
  readonly files: readonly { readonly path: string }[];
}

void t.test('what npm packs runs, and is no more than that', async (t) => {
  const scratch = await makeScratch('npm-package', 64 * 1024 * 1024);
  t.teardown(() => scratch.remove());
  const packed = spawnSync('npm', ['pack', '--json', '--pack-destination', scratch.path], { encoding: 'utf8' });
  t.equal(packed.status, 0, packed.stderr);
  const [{ filename, files }] = JSON.parse(packed.stdout) as [Packed];
  const names = files.map(({ path }) => path);
  for (const name of ['dist/api/main.js', 'dist/engine/worker.js', 'dist/web/index.html', 'README.md', 'LICENSE'])
    t.ok(names.includes(name), name);
  t.same(
    names.filter((name) => /^(?:dist\/(?:test|bench)|test|engine|api)\/|\.map$/.test(name)),
    [],
  );
  const installed = join(scratch.path, 'node_modules');
  await mkdir(installed);
  await extract({ file: join(scratch.path, filename), cwd: installed });
  await symlink(resolve('node_modules'), join(installed, 'package', 'node_modules'));
  const lines: string[] = [];
  const flags = ['--port', '0', '--peer-port', '0', '--dht', 'off', '--lsd', 'off', '--upnp', 'off'];
  const env = { SWARMD_DATA_DIR: join(scratch.path, 'data'), SWARMD_SAVE_PATH: join(scratch.path, 'downloads') };
  const main = join(installed, 'package', 'dist', 'api', 'main.js');
  const child = await startChild(process.execPath, [main, ...flags], { env, onLine: (line) => lines.push(line) });
  t.teardown(() => child.stop());
  const url = await waitUntil('ready', TIMEOUT_MS, () => {
    if (!child.isRunning) throw new Error(child.stderr);
    return lines.map((line) => /^swarmd ready (\S+)/.exec(line)?.[1]).find((found) => found !== undefined);
  });
  t.equal((await fetch(`${url}/api/healthz`)).status, 200);
});
