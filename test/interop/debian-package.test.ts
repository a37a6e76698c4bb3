// The Debian package: its unit is sound and shut tight, its program runs from where it lies, dpkg upgrades and purges it without
// touching what people have.
import { spawnSync } from 'node:child_process';
import { mkdir, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import t from 'tap';
import { startChild } from '../support/peers/child-process.js';
import { testWith, type Program } from '../support/peers/index.js';
import { makeScratch } from '../support/peers/scratch.js';
import { waitUntil } from '../support/peers/wait-until.js';

const BUILD = join('packaging', 'debian', 'build.js');
const TIMEOUT_MS = 60_000;
/** The exposure by systemd-analyze security, of 10, that is allowed. */
const MOST_EXPOSED = 2;

t.setTimeout(400_000);

const runs = (program: string) => spawnSync(program, ['--version']).status === 0;
const dpkg: Program = { name: 'dpkg', debianPackage: 'dpkg', isAvailable: () => runs('dpkg-deb') };
const systemd: Program = { name: 'systemd', debianPackage: 'systemd', isAvailable: () => runs('systemd-analyze') };

function run(program: string, ...args: readonly string[]): string {
  const { status, stdout, stderr, error } = spawnSync(program, args, { encoding: 'utf8' });
  if (status !== 0) throw new Error(`${program} ${args.join(' ')}: ${error?.message ?? ''}${stderr}${stdout}`);
  return `${stdout}${stderr}`;
}

void testWith(t, [dpkg, systemd], 'the Debian package', async (t) => {
  const scratch = await makeScratch('deb', 512 * 1024 * 1024);
  t.teardown(() => scratch.remove());
  const file = run(process.execPath, BUILD, scratch.path).trim();
  const tree = join(scratch.path, 'tree');
  run('dpkg-deb', '-x', file, tree);

  // One of them is a template: what is looked at is its instance for somebody.
  for (const [unit, instance] of [
    ['swarmd.service', 'swarmd.service'],
    ['swarmd-engine@.service', 'swarmd-engine@alice.service'],
  ] as const) {
    await t.test(unit, async (t) => {
      const here = join(scratch.path, instance);
      const text = await readFile(join(tree, 'lib', 'systemd', 'system', unit), 'utf8');
      const program = join(tree, 'usr', 'bin', 'swarmd');
      await writeFile(here, text.replace('ExecStart=/usr/bin/swarmd', `ExecStart=${program}`));
      t.equal(run('systemd-analyze', 'verify', '--man=no', here), '');
      const said = run('systemd-analyze', 'security', '--offline=yes', here);
      const exposure = Number(/Overall exposure level for \S+: ([\d.]+)/.exec(said)?.[1]);
      t.ok(exposure <= MOST_EXPOSED, `exposure ${exposure}`);
    });
  }

  await t.test('its engine of a process of its own', async (t) => {
    const lines: string[] = [];
    const at = `unix:${join(scratch.path, 'engine.sock')}`;
    const flags = ['engine', '--listen', at, '--data-dir', join(scratch.path, 'engine')];
    const child = await startChild(join(tree, 'usr', 'bin', 'swarmd'), flags, { onLine: (line) => lines.push(line) });
    t.teardown(() => child.stop());
    await waitUntil('the engine to be ready', TIMEOUT_MS, () => {
      if (!child.isRunning) throw new Error(child.stderr);
      return lines.includes(`swarmd engine ready ${at}`) || undefined;
    });
    t.same(await child.stop(), { code: 0, signal: null });
  });

  await t.test('its program runs from where it lies', async (t) => {
    const lines: string[] = [];
    const flags = ['--port', '0', '--peer-port', '0', '--dht', 'off', '--lsd', 'off', '--upnp', 'off'];
    const env = { SWARMD_DATA_DIR: join(scratch.path, 'data'), SWARMD_SAVE_PATH: join(scratch.path, 'downloads') };
    const child = await startChild(join(tree, 'usr', 'bin', 'swarmd'), flags, {
      env,
      onLine: (line) => lines.push(line),
    });
    t.teardown(() => child.stop());
    const url = await waitUntil('ready', TIMEOUT_MS, () => {
      if (!child.isRunning) throw new Error(child.stderr);
      return lines.map((line) => /^swarmd ready (\S+)/.exec(line)?.[1]).find((found) => found !== undefined);
    });
    t.equal((await fetch(`${url}/api/healthz`)).status, 200);
    t.match(await (await fetch(url, { headers: { accept: 'text/html' } })).text(), /<title>Swarmd/);
  });

  await t.test('dpkg upgrades it, and a purge leaves what people have', async (t) => {
    const root = join(scratch.path, 'root');
    for (const folder of ['var/lib/dpkg/info', 'var/lib/dpkg/updates', 'var/lib/swarmd/state', 'bin'])
      await mkdir(join(root, folder), { recursive: true });
    await writeFile(join(root, 'var/lib/dpkg/status'), '');
    const into = (...args: readonly string[]) =>
      run('dpkg', `--root=${root}`, '--force-depends', '--force-script-chrootless', '--force-confold', ...args);
    into('-i', file);
    await writeFile(join(root, 'etc/default/swarmd'), 'SWARMD_PORT=1234\n');
    await writeFile(join(root, 'var/lib/swarmd/state/accounts.json'), 'of people');
    const newer = join(scratch.path, 'newer');
    run('dpkg-deb', '-R', file, newer);
    const control = join(newer, 'DEBIAN', 'control');
    await writeFile(control, (await readFile(control, 'utf8')).replace(/^Version: .*$/m, 'Version: 999.0.0'));
    run('dpkg-deb', '-Znone', '--root-owner-group', '--build', newer, join(scratch.path, 'newer.deb'));
    into('-i', join(scratch.path, 'newer.deb'));
    t.match(run('dpkg', `--root=${root}`, '-s', 'swarmd'), /^Version: 999\.0\.0$/m);
    t.equal(await readFile(join(root, 'etc/default/swarmd'), 'utf8'), 'SWARMD_PORT=1234\n', 'its settings are kept');
    into('--purge', 'swarmd');
    t.equal(await readFile(join(root, 'var/lib/swarmd/state/accounts.json'), 'utf8'), 'of people');
    await t.rejects(readFile(join(root, 'usr/bin/swarmd')), { code: 'ENOENT' });
  });
});
