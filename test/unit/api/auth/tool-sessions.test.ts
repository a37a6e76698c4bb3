// Sessions of tools on a virtual clock: their life, their number, which of them make room.
import { createHash } from 'node:crypto';
import t from 'tap';
import { ToolSessions } from '../../../../api/auth/tool-sessions.js';
import { parseAccountId } from '../../../../shared-protocol/ids.js';
import { VirtualClock } from '../../../support/virtual-clock.js';

const HOUR_MS = 3_600_000;
const ANN = parseAccountId(1);
const BOB = parseAccountId(2);

function start() {
  const clock = new VirtualClock();
  let counter = 0;
  const randomBytes = (length: number) => createHash('sha256').update(`${counter++}`).digest().subarray(0, length);
  return { clock, sessions: new ToolSessions({ now: () => clock.unixMs(), randomBytes }) };
}

void t.test('a session names its account until it was unused for an hour', async (t) => {
  const { clock, sessions } = start();
  const token = sessions.create(ANN);
  t.match(token, /^[A-Za-z0-9_-]{43}$/);
  await clock.advance(HOUR_MS - 1);
  t.equal(sessions.accountOf(token), ANN);
  await clock.advance(HOUR_MS - 1);
  t.equal(sessions.accountOf(token), ANN, 'a use is an hour more');
  await clock.advance(HOUR_MS);
  t.equal(sessions.accountOf(token), null);
  sessions.sweep();
  t.equal(sessions.size, 0);
});

void t.test('used all the time, it ends after twelve hours', async (t) => {
  const { clock, sessions } = start();
  const token = sessions.create(ANN);
  for (let half = 1; half < 24; half++) {
    await clock.advance(HOUR_MS / 2);
    t.equal(sessions.accountOf(token), ANN);
  }
  await clock.advance(HOUR_MS / 2);
  t.equal(sessions.accountOf(token), null);
});

void t.test('a tool that signs in over and over ends sessions of its own account alone', async (t) => {
  const { clock, sessions } = start();
  const bobs = sessions.create(BOB);
  const used = sessions.create(ANN);
  const unused = sessions.create(ANN);
  await clock.advance(1);
  t.equal(sessions.accountOf(used), ANN);
  for (let count = 2; count <= 50; count++) sessions.create(ANN);
  t.equal(sessions.accountOf(unused), null, 'the longest unused one made room');
  t.equal(sessions.accountOf(used), ANN);
  for (let count = 0; count < 100; count++) sessions.create(ANN);
  t.equal(sessions.size, 51);
  t.equal(sessions.accountOf(bobs), BOB);
});

void t.test('when all are taken, the account that has most gives one', async (t) => {
  const { sessions } = start();
  const bobs = sessions.create(BOB);
  for (let account = 3; account < 13; account++) {
    for (let count = 0; count < 50; count++) sessions.create(parseAccountId(account));
  }
  t.equal(sessions.size, 500);
  t.equal(sessions.accountOf(bobs), BOB);
});

void t.test('a session is revoked by its token, and all of an account together', async (t) => {
  const { sessions } = start();
  const [one, other, bobs] = [sessions.create(ANN), sessions.create(ANN), sessions.create(BOB)];
  sessions.revoke(one);
  t.same([sessions.accountOf(one), sessions.accountOf(other)], [null, ANN]);
  sessions.revokeAccount(ANN);
  t.same([sessions.accountOf(other), sessions.accountOf(bobs)], [null, BOB]);
});
