// Which part files are known to be there: those of earlier runs, and what was made and removed since.
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import t from 'tap';
import { PartFolder } from '../../../../engine/disk/part-folder.js';
import { temporaryFolder } from '../../../support/disk-fixtures.js';

void t.test('part files of an earlier run are known, others are not looked for', async (t) => {
  const path = await temporaryFolder(t);
  await writeFile(join(path, 'a.parts'), '');
  const parts = new PartFolder(path);
  t.same(await Promise.all([parts.mayHave('a.parts'), parts.mayHave('b.parts')]), [true, false]);
  await parts.onMade('b.parts');
  await parts.onRemoved('a.parts');
  t.same(await Promise.all([parts.mayHave('a.parts'), parts.mayHave('b.parts')]), [false, true]);
});

void t.test('what is made while the folder is read is known after it', async (t) => {
  const path = join(await temporaryFolder(t), 'parts');
  const parts = new PartFolder(path);
  const before = parts.mayHave('a.parts');
  await parts.onMade('a.parts');
  t.equal(await before, false);
  t.equal(await parts.mayHave('a.parts'), true);
});

void t.test('while the folder cannot be read every part file may be there', async (t) => {
  const folder = await temporaryFolder(t);
  const parts = new PartFolder(join(folder, 'x'.repeat(300)));
  t.equal(await parts.mayHave('a.parts'), true);
  t.equal(await parts.mayHave('a.parts'), true);
});
