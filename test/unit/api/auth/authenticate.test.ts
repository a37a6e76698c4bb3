// Which account a request's credentials stand for.
import t from 'tap';
import { authenticate } from '../../../../api/auth/authenticate.js';
import { firstAdmin, type Account } from '../../../../api/auth/account.js';
import { parseAccountId } from '../../../../shared-protocol/ids.js';

const ADMIN = firstAdmin('', 0);
const BOB: Account = { ...ADMIN, id: parseAccountId(2), username: 'bob' };

/** Each has a key and a session called by its name; so has carol, who is gone. */
function authenticateWith(headers: Record<string, string>, accounts: readonly Account[] = [ADMIN, BOB]) {
  const ids: Record<string, Account['id']> = { admin: ADMIN.id, bob: BOB.id, carol: parseAccountId(3) };
  const principal = authenticate(headers, {
    accounts: {
      find: (id) => accounts.find((account) => account.id === id),
      findByApiKey: (key) => accounts.find(({ username }) => username === key) ?? null,
    },
    sessions: { accountOf: (token) => ids[token] ?? null },
    localKey: { opens: (key) => key === 'local' },
  });
  return principal && `${principal.account.username} ${principal.credential.kind}`;
}

void t.test('the key of this machine opens account 1, unless that is disabled', async (t) => {
  t.equal(authenticateWith({ authorization: 'Bearer local' }), 'admin bearer');
  t.equal(authenticateWith({ authorization: 'Bearer local' }, [{ ...ADMIN, disabled: true }, BOB]), null);
  t.equal(authenticateWith({ cookie: 'service_session=local' }), null);
});

void t.test('a key or a session; the key is asked first', async (t) => {
  t.equal(authenticateWith({ authorization: 'Bearer bob' }), 'bob bearer');
  t.equal(authenticateWith({ authorization: 'bearer  bob ' }), 'bob bearer');
  t.equal(authenticateWith({ cookie: 'a=b; service_session=bob' }), 'bob cookie');
  t.equal(authenticateWith({ authorization: 'Bearer bob', cookie: 'service_session=admin' }), 'bob bearer');
  for (const headers of [
    {},
    { authorization: 'Bearer' },
    { authorization: 'Bearer nobody' },
    { authorization: 'Basic bob' },
    { authorization: 'Bearer bob x' },
    { cookie: 'service_session=' },
    { cookie: 'service_session=nobody' },
    { cookie: 'session=bob' },
  ]) {
    t.equal(authenticateWith(headers), null, JSON.stringify(headers));
  }
});

void t.test('a key that is worth nothing does not stand in the way of a session', async (t) => {
  const disabled = [ADMIN, { ...BOB, disabled: true }];
  for (const key of ['nobody', 'bob']) {
    const headers = { authorization: `Bearer ${key}`, cookie: 'service_session=admin' };
    t.equal(authenticateWith(headers, disabled), 'admin cookie', key);
  }
});

void t.test('disabled and gone accounts are nobody', async (t) => {
  const disabled = [ADMIN, { ...BOB, disabled: true }];
  t.equal(authenticateWith({ authorization: 'Bearer bob' }, disabled), null);
  t.equal(authenticateWith({ cookie: 'service_session=bob' }, disabled), null);
  t.equal(authenticateWith({ cookie: 'service_session=carol' }), null);
});
