// Sessions that several fronts share, where the fronts know of changes of accounts at different times.
import { randomBytes } from 'node:crypto';
import t from 'tap';
import {
  NO_SHARED_SESSIONS,
  SharedSessions,
  sharedSessionsSchema,
  type SharedSessionsData,
} from '../../../../api/auth/shared-sessions.js';
import { ADMIN_ACCOUNT_ID } from '../../../../shared-protocol/ids.js';
import { MemoryCollection } from '../../../support/memory-collection.js';

/** A front as it knows the account: by the digest of its credentials. */
interface Front {
  known: string | null;
  readonly sessions: SharedSessions;
}

function setUp() {
  const collection = new MemoryCollection<SharedSessionsData>(NO_SHARED_SESSIONS, (data) =>
    sharedSessionsSchema.parse(data),
  );
  const front = (): Front => {
    const made: Front = {
      known: 'first',
      sessions: new SharedSessions({ now: () => 0, randomBytes, collection, credentialsOf: () => made.known }),
    };
    return made;
  };
  return { collection, one: front(), other: front() };
}

void t.test('a session is worth nothing at a front that knows its account to have changed', async (t) => {
  const { one, other } = setUp();
  const token = await one.sessions.create(ADMIN_ACCOUNT_ID);
  t.equal(other.sessions.accountOf(token), ADMIN_ACCOUNT_ID);
  other.known = 'second';
  t.same([other.sessions.accountOf(token), other.sessions.size], [null, 0], 'before it is revoked');
  other.known = null;
  t.equal(other.sessions.accountOf(token), null, 'nor when the account is gone');
});

void t.test('who signs in after a change keeps the session when another front hears of the change', async (t) => {
  const { one, other } = setUp();
  const before = await one.sessions.create(ADMIN_ACCOUNT_ID);
  one.known = 'second';
  await one.sessions.revokeAccount(ADMIN_ACCOUNT_ID);
  const after = await one.sessions.create(ADMIN_ACCOUNT_ID);
  other.known = 'second';
  await other.sessions.revokeAccount(ADMIN_ACCOUNT_ID);
  t.same(
    [before, after].map((token) => one.sessions.accountOf(token)),
    [null, ADMIN_ACCOUNT_ID],
  );
});

void t.test('a session that has ended stays so when the account becomes again what it was', async (t) => {
  const { one } = setUp();
  const token = await one.sessions.create(ADMIN_ACCOUNT_ID);
  one.known = 'disabled';
  const ended = one.sessions.revokeAccount(ADMIN_ACCOUNT_ID);
  one.known = 'first';
  await ended;
  t.equal(one.sessions.accountOf(token), null);
});

void t.test('who is let in by a front that has not heard of a change yet is let in nowhere else', async (t) => {
  const { one, other } = setUp();
  one.known = 'second';
  const token = await other.sessions.create(ADMIN_ACCOUNT_ID);
  t.equal(one.sessions.accountOf(token), null);
  other.known = null;
  await t.rejects(async () => other.sessions.create(ADMIN_ACCOUNT_ID), { code: 'UNAUTHORIZED' });
});

void t.test('sessions that were stored without what they hang on have ended', async (t) => {
  const { collection, one } = setUp();
  await collection.update((data) => {
    const stored = { sessions: [{ digest: '', accountId: 1, expiresAtMs: 1 }] };
    Object.assign(data, sharedSessionsSchema.parse(stored));
  });
  t.equal(one.sessions.size, 0);
});

void t.test(
  'a session that a clock years ahead has stored opens nothing, and goes with the next that is made',
  async (t) => {
    const { collection, one } = setUp();
    const token = await one.sessions.create(ADMIN_ACCOUNT_ID);
    await collection.update((data) => {
      data.sessions[0]!.expiresAtMs += 315_360_000_000;
    });
    t.equal(one.sessions.accountOf(token), null);
    await one.sessions.create(ADMIN_ACCOUNT_ID);
    t.equal(collection.data.sessions.length, 1);
  },
);
