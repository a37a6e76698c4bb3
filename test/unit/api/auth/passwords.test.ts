// Password hashing: real Argon2id at a low cost, and what happens when too many want it at once.
import { hash } from 'argon2';
import t from 'tap';
import { Passwords } from '../../../../api/auth/passwords.js';
import { CHEAP_ARGON2 } from '../../../support/api-harness.js';

const REQUESTER = { key: '192.0.2.1', isFresh: true };

void t.test('a hash is Argon2id and verifies its password only', async (t) => {
  const passwords = new Passwords(CHEAP_ARGON2);
  const stored = await passwords.hash('correct horse');
  t.match(stored, /^\$argon2id\$v=19\$m=8,t=1,p=1\$/);
  t.ok(await passwords.verify(stored, 'correct horse', REQUESTER));
  t.notOk(await passwords.verify(stored, 'correct horsf', REQUESTER));
  t.ok(await passwords.verify(await hash('other cost', { ...CHEAP_ARGON2, memoryCost: 16 }), 'other cost', REQUESTER));
});

void t.test('nothing verifies against no hash, not even the dummy password', async (t) => {
  const passwords = new Passwords(CHEAP_ARGON2);
  t.notOk(await passwords.verify(null, 'no account has this password', REQUESTER));
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
    await t.rejects(passwords.verify(stored, 'x', REQUESTER), { message: 'no memory' });
    isFull = false;
    t.equal(await passwords.verify(stored, 'x', REQUESTER), stored !== null, 'a failure is not kept');
    t.equal(await passwords.verify(stored, 'x', REQUESTER), stored !== null);
    const verified = `verify ${stored ?? 'of nothing'}`;
    t.same(calls, ['hash', 'hash', verified, verified]);
  }
});

void t.test('1 sign-in at a time, 12 wait who asked before and 4 who did not, the rest is refused', async (t) => {
  const passwords = new Passwords(CHEAP_ARGON2);
  const attempts = (count: number, isFresh: boolean) =>
    Array.from({ length: count }, (_, place) => passwords.verify(null, 'x', { key: `${isFresh} ${place}`, isFresh }));
  const outcomes = await Promise.allSettled([...attempts(20, false), ...attempts(5, true)]);
  const refused = outcomes.flatMap((outcome, place) =>
    outcome.status === 'rejected' ? [[place, outcome.reason]] : [],
  );
  t.same(
    refused.map(([place]) => place),
    [13, 14, 15, 16, 17, 18, 19, 24],
  );
  t.match(refused[0], [13, { code: 'TOO_MANY_LOGINS' }]);
});

void t.test('changes of passwords, by whomever and however many, take no place of a sign-in', async (t) => {
  const waiting: (() => void)[] = [];
  const stuck = async () => {
    await new Promise<void>((resolve) => void waiting.push(resolve));
    return 'hash';
  };
  let isStuck = false;
  const passwords = new Passwords(CHEAP_ARGON2, {
    hash: () => (isStuck ? stuck() : Promise.resolve('of nothing')),
    verify: () => Promise.resolve(true),
  });
  await passwords.verify('stored', 'x', REQUESTER);
  isStuck = true;
  const changes = Array.from({ length: 40 }, () => passwords.replace('stored', 'x', 'y', REQUESTER));
  const resets = Array.from({ length: 40 }, () => passwords.hash('y'));
  for (let place = 0; place < 5; place++) t.ok(await passwords.verify('stored', 'x', REQUESTER));
  isStuck = false;
  for (const release of waiting) release();
  for (const all of [changes, resets]) {
    const outcomes = await Promise.allSettled(all);
    t.equal(outcomes.filter(({ status }) => status === 'rejected').length, 40 - 1 - 8);
  }
});

void t.test('a wrong old password makes no new hash', async (t) => {
  const passwords = new Passwords(CHEAP_ARGON2);
  const stored = await passwords.hash('correct horse');
  t.equal(await passwords.replace(stored, 'wrong', 'battery staple', REQUESTER), null);
  t.equal(await passwords.replace(null, 'wrong', 'battery staple', REQUESTER), null);
  const replaced = await passwords.replace(stored, 'correct horse', 'battery staple', REQUESTER);
  t.ok(await passwords.verify(replaced, 'battery staple', REQUESTER));
});
