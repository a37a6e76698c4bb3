// Sessions as a daemon has them, while the wall clock of its machine is set to any year, or that of all fronts.
import { join } from 'node:path';
import { randomBytes } from 'node:crypto';
import t, { type Test } from 'tap';
import { composeSignIn } from '../../../../../api/app/compose/sign-in.js';
import { LocalKey } from '../../../../../api/auth/local-key.js';
import { NO_SHARED_SESSIONS, sharedSessionsSchema } from '../../../../../api/auth/shared-sessions.js';
import { Passwords } from '../../../../../api/auth/passwords.js';
import { Accounts } from '../../../../../api/services/accounts/accounts.js';
import { ADMIN_ACCOUNT_ID } from '../../../../../shared-protocol/ids.js';
import { openAccountsFile } from '../../../../support/accounts-file.js';
import { CHEAP_ARGON2 } from '../../../../support/api-harness.js';
import { MemoryCollection } from '../../../../support/memory-collection.js';
import { temporaryDirectory } from '../../../../support/temporary-directory.js';

const YEAR_MS = 365 * 86_400_000;

/** Sets the machine's clock ahead by so much of what it is, until the end of the test. */
function setClock(t: Test, aheadMs: number): void {
  const { now } = Date;
  Date.now = () => now() + aheadMs;
  t.teardown(() => void (Date.now = now));
}

async function start(sharedSessions: Parameters<typeof composeSignIn>[0]['sharedSessions']) {
  const directory = await temporaryDirectory();
  const accounts = new Accounts({
    collection: await openAccountsFile(join(directory, 'accounts.json')),
    passwords: new Passwords(CHEAP_ARGON2),
    ...{ randomBytes, now: () => 0, forgetInitialPassword: async () => undefined },
  });
  await accounts.ensureAdmin('correct horse battery staple');
  return composeSignIn({
    accounts,
    localKey: await LocalKey.make(join(directory, 'key'), randomBytes),
    sharedSessions,
  });
}

void t.test('who is signed in stays so whatever the clock of the machine is set to', async (t) => {
  const { sessions, toolSessions } = await start(null);
  const [browser, tool] = [await sessions.create(ADMIN_ACCOUNT_ID), toolSessions.create(ADMIN_ACCOUNT_ID)];
  for (const years of [10, -60]) {
    setClock(t, years * YEAR_MS);
    sessions.sweep();
    toolSessions.sweep();
    t.equal(sessions.accountOf(browser), ADMIN_ACCOUNT_ID, `${years} years`);
    t.equal(toolSessions.accountOf(tool), ADMIN_ACCOUNT_ID, `${years} years, a tool`);
  }
});

void t.test('sessions of several fronts outlast a moment in which their clock is years ahead', async (t) => {
  const collection = new MemoryCollection(NO_SHARED_SESSIONS, (data) => sharedSessionsSchema.parse(data));
  let aheadMs = 0;
  const { sessions } = await start({ collection, unixMs: () => Date.now() + aheadMs });
  const before = await sessions.create(ADMIN_ACCOUNT_ID);
  aheadMs = 10 * YEAR_MS;
  const amid = await sessions.create(ADMIN_ACCOUNT_ID);
  aheadMs = 0;
  t.same(
    [before, amid].map((token) => sessions.accountOf(token)),
    [ADMIN_ACCOUNT_ID, ADMIN_ACCOUNT_ID],
  );
});
