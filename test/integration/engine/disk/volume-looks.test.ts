// What the real file system says of volumes.
import t from 'tap';
import { readdir, stat, statfs, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { systemVolumeProbe } from '../../../../engine/disk/volume-probe.js';
import { temporaryFolder } from '../../../support/disk-fixtures.js';

void t.test('a folder that is not there yet is on the volume of the one above it', async (t) => {
  const folder = await temporaryFolder(t);
  const absent = join(folder, 'not', 'yet');
  t.equal(await systemVolumeProbe.deviceOf(absent), (await stat(folder)).dev);
  t.not(await systemVolumeProbe.deviceOf('/proc/self'), (await stat(folder)).dev);
  const { blocks, bsize } = await statfs(folder);
  const space = await systemVolumeProbe.spaceOf(absent);
  t.equal(space.totalBytes, blocks * bsize);
  t.ok(space.freeBytes > 0 && space.freeBytes < space.totalBytes);
});

void t.test('a trial leaves nothing behind, wherever it is made', async (t) => {
  const folder = await temporaryFolder(t);
  await systemVolumeProbe.tryWrite(folder);
  await systemVolumeProbe.tryWrite(join(folder, 'not', 'yet'));
  t.same(await readdir(folder), []);
});

void t.test('what takes no write says why', async (t) => {
  await t.rejects(systemVolumeProbe.tryWrite('/proc/self'), { code: /^(ENOENT|EACCES|EPERM|EOPNOTSUPP)$/ });
  const file = join(await temporaryFolder(t), 'file');
  await writeFile(file, '');
  await t.rejects(systemVolumeProbe.tryWrite(file), { code: 'ENOTDIR' });
});
