// Made-up passwords, and given ones.
import { randomBytes } from 'node:crypto';
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import t from 'tap';
import { makePassword, prepareFirstStart } from '../../../../../api/services/accounts/first-start.js';
import { temporaryDirectory } from '../../../../support/temporary-directory.js';

void t.test('20 characters that cannot be mistaken for each other, each as likely as the next', async (t) => {
  t.match(makePassword(randomBytes), /^[A-HJ-NP-Za-km-z2-9]{20}$/);
  // Bytes from 224 on would favour some characters (256 is no multiple of 56), so they are passed over.
  const bytes = [255, 224, 0, 1, 223];
  let at = 0;
  const scripted = (length: number) => Uint8Array.from({ length }, () => bytes[at++ % bytes.length] ?? 0);
  t.equal(makePassword(scripted), 'AB9'.repeat(7).slice(0, 20));
});

void t.test('the given one is the first line of its file, if the login takes it', async (t) => {
  const directory = await temporaryDirectory();
  const file = join(directory, 'password');
  const start = async (content: string, adminPasswordFile = file) => {
    await writeFile(file, content);
    let password: string | null = null;
    const accounts = { isEmpty: true, ensureAdmin: async (given: string | null) => (password = given) !== null };
    const initialPasswordFile = join(directory, 'initial-admin-password');
    await prepareFirstStart({ accounts, randomBytes }, { adminPasswordFile, initialPasswordFile });
    return password;
  };
  t.equal(await start('correct horse\nbattery staple\n'), 'correct horse');
  t.equal(await start('correct horse\r\n'), 'correct horse');
  for (const content of ['', '1234567\n', `${'x'.repeat(1_025)}\n`, '\ncorrect horse\n']) {
    await t.rejects(start(content), { message: /password: expected 8 to 1024 characters on the first line$/ });
  }
  await t.rejects(start('', join(directory, 'none')), { message: /none: cannot be read$/ });
});
