// Made-up passwords.
import { randomBytes } from 'node:crypto';
import t from 'tap';
import { makePassword } from '../../../../api/services/first-start.js';

void t.test('20 characters that cannot be mistaken for each other, each as likely as the next', async (t) => {
  t.match(makePassword(randomBytes), /^[A-HJ-NP-Za-km-z2-9]{20}$/);
  // Bytes from 224 on would favour some characters (256 is no multiple of 56), so they are passed over.
  const bytes = [255, 224, 0, 1, 223];
  let at = 0;
  const scripted = (length: number) => Uint8Array.from({ length }, () => bytes[at++ % bytes.length] ?? 0);
  t.equal(makePassword(scripted), 'AB9'.repeat(7).slice(0, 20));
});
