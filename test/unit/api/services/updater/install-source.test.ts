// Who brought the program: by the traces of it, and on a directory like dpkg's.
import { mkdir, symlink, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import t from 'tap';
import {
  detectInstallSource,
  installSourceOf,
  type Traces,
} from '../../../../../api/services/updater/install-source.js';
import { temporaryDirectory } from '../../../../support/temporary-directory.js';

const PROGRAM = '/usr/lib/swarmd/api/main.js';
const MANUAL: Traces = { programPath: PROGRAM, packagedFiles: '', appDir: undefined };

for (const { name, traces, expected } of [
  { name: 'nothing', traces: {}, expected: 'manual' },
  { name: 'a package', traces: { packagedFiles: `/usr\n/usr/lib\n${PROGRAM}\n` }, expected: 'apt' },
  {
    name: 'a package of another copy',
    traces: { packagedFiles: `${PROGRAM}.map\n/opt${PROGRAM}\n` },
    expected: 'manual',
  },
  { name: 'an AppImage', traces: { appDir: '/usr/lib/' }, expected: 'appimage' },
  { name: 'the AppImage of a parent process', traces: { appDir: '/tmp/.mount_editor' }, expected: 'manual' },
  { name: 'a neighbour of the AppImage', traces: { appDir: '/usr/li' }, expected: 'manual' },
  { name: 'no AppImage', traces: { appDir: '' }, expected: 'manual' },
] as const) {
  void t.test(name, async (t) => t.equal(installSourceOf({ ...MANUAL, ...traces }), expected));
}

void t.test('through links, whatever the architecture; without dpkg too', async (t) => {
  const directory = await temporaryDirectory();
  const [info, real, link] = [join(directory, 'info'), join(directory, 'main.js'), join(directory, 'link.js')];
  await mkdir(info);
  await writeFile(real, '');
  await symlink(real, link);
  t.equal(await detectInstallSource(link, {}, info), 'manual');
  await writeFile(join(info, 'swarmd-doc.list'), `${real}\n`);
  t.equal(await detectInstallSource(link, {}, info), 'manual', 'another package');
  await writeFile(join(info, 'swarmd:amd64.list'), `/.\n${real}\n`);
  t.equal(await detectInstallSource(link, {}, info), 'apt');
  t.equal(await detectInstallSource(link, { APPDIR: directory }, join(directory, 'none')), 'appimage');
  t.equal(await detectInstallSource(join(directory, 'gone.js'), {}, info), 'manual');
});
