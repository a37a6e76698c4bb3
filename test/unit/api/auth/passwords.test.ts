// Password hashing: real Argon2id at a low cost, and what happens when too many want it at once.
import { hash } from 'argon2';
import t from 'tap';
import { Passwords } from '../../../../api/auth/passwords.js';
import { Semaphore } from '../../../../api/auth/semaphore.js';
import { CHEAP_ARGON2 } from '../../../support/api-harness.js';

void t.test('a hash is Argon2id and verifies its password only', async (t) => {
  const passwords = new Passwords(CHEAP_ARGON2);
  const stored = await passwords.hash('correct horse');
  t.match(stored, /^\$argon2id\$v=19\$m=8,t=1,p=1\$/);
  t.ok(await passwords.verify(stored, 'correct horse'));
  t.notOk(await passwords.verify(stored, 'correct horsf'));
  t.ok(await passwords.verify(await hash('other cost', { ...CHEAP_ARGON2, memoryCost: 16 }), 'other cost'));
});

void t.test('nothing verifies against no hash, not even the dummy password', async (t) => {
  const passwords = new Passwords(CHEAP_ARGON2);
  t.notOk(await passwords.verify(null, 'no account has this password'));
});

void t.test('what the hash of nothing costs falls on the first password, whoever it belongs to', async (t) => {
  for (const stored of [null, 'stored']) {
    const calls: string[] = [];
    let isFull = true;
    const passwords = new Passwords(CHEAP_ARGON2, {
      async hash() {
        calls.push('hash');
        if (isFull) throw new Error('no memory');
        return 'of nothing';
      },
      async verify(passwordHash) {
        calls.push(`verify ${passwordHash}`);
        return true;
      },
    });
    t.same(calls, [], 'nothing at the start');
    await t.rejects(passwords.verify(stored, 'x'), { message: 'no memory' });
    isFull = false;
    t.equal(await passwords.verify(stored, 'x'), stored !== null, 'a failure is not kept');
    t.equal(await passwords.verify(stored, 'x'), stored !== null);
    const verified = `verify ${stored ?? 'of nothing'}`;
    t.same(calls, ['hash', 'hash', verified, verified]);
  }
});

void t.test('2 at a time, 16 wait, the rest is refused like the login limit', async (t) => {
  const passwords = new Passwords(CHEAP_ARGON2);
  const outcomes = await Promise.allSettled(Array.from({ length: 20 }, () => passwords.verify(null, 'x')));
  t.equal(outcomes.filter(({ status }) => status === 'rejected').length, 2);
  t.match(
    outcomes.find(({ status }) => status === 'rejected'),
    { reason: { code: 'TOO_MANY_LOGINS' } },
  );
});

void t.test('the semaphore never lets more in than its limit, and everybody in the end', async (t) => {
  const semaphore = new Semaphore(2, 10);
  let [running, most, done] = [0, 0, 0];
  const work = async () => {
    most = Math.max(most, ++running);
    await new Promise<void>((resolve) => void setImmediate(resolve));
    running--;
    if (++done === 3) throw new Error('a failure gives the place back too');
  };
  await Promise.allSettled(Array.from({ length: 12 }, () => semaphore.run(work)));
  t.same({ running, most, done }, { running: 0, most: 2, done: 12 });
});
