import { readdir, readFile, symlink, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import t from 'tap';
import { replaceFile } from '../../../storage/atomic-file.js';
import { temporaryDirectory } from '../../support/temporary-directory.js';

void t.test('on a full disk the old content stays, and the error names the file', async (t) => {
  const folder = await temporaryDirectory();
  const file = join(folder, 'kept');
  await writeFile(file, 'old');
  await symlink('/dev/full', `${file}.tmp`);
  await t.rejects(replaceFile(file, 'new'), {
    ...{ code: 'ENOSPC', path: `${file}.tmp`, message: `ENOSPC: no space left on device, write '${file}.tmp'` },
  });
  t.equal(await readFile(file, 'utf8'), 'old');
  t.same((await readdir(folder)).sort(), ['kept', 'kept.tmp']);
});
