import { getSystemErrorName } from 'node:util';
import t from 'tap';
import { systemErrorName } from '../../../shared-protocol/system-error-name.js';

/** As Node makes them. */
function systemError(errno: number): Error {
  const code = getSystemErrorName(errno);
  return Object.assign(new Error(`${code}: ${code}, write`), { errno, code, syscall: 'write' });
}

void t.test('also of those that Node does not know', async (t) => {
  t.equal(getSystemErrorName(-122), 'Unknown system error -122', 'or this is not needed any more');
  const names = { EIO: -5, EDQUOT: -122, ESTALE: -116, EBADMSG: -74, EUCLEAN: -117 };
  for (const [name, errno] of Object.entries(names)) t.equal(systemErrorName(systemError(errno)), name);
  t.equal(systemErrorName(systemError(-4_000)), 'Unknown system error -4000');
});

void t.test('of nothing else', async (t) => {
  t.equal(systemErrorName(new Error('ENOENT')), null);
  t.equal(systemErrorName('ENOENT'), null);
});
