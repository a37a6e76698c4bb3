// Sessions on a virtual clock: their life, their number, their end.
import { createHash } from 'node:crypto';
import t from 'tap';
import { Sessions, SESSION_TTL_MS } from '../../../../api/auth/sessions.js';
import { parseAccountId } from '../../../../shared-protocol/ids.js';
import { VirtualClock } from '../../../support/virtual-clock.js';

const ANN = parseAccountId(1);
const BOB = parseAccountId(2);

function start() {
  const clock = new VirtualClock();
  let counter = 0;
  const randomBytes = (length: number) => createHash('sha256').update(`${counter++}`).digest().subarray(0, length);
  return { clock, sessions: new Sessions({ now: () => clock.unixMs(), randomBytes }) };
}

void t.test('a token is 43 characters of URL-safe base64 and names its account', async (t) => {
  const { sessions } = start();
  const token = sessions.create(ANN);
  t.match(token, /^[A-Za-z0-9_-]{43}$/);
  t.equal(sessions.accountOf(token), ANN);
  t.equal(sessions.accountOf(`${token}x`), null);
});

void t.test('it lives 12 hours from its issue, used or not', async (t) => {
  const { clock, sessions } = start();
  const token = sessions.create(ANN);
  for (let hour = 0; hour < 11; hour++) {
    await clock.advance(SESSION_TTL_MS / 12);
    t.equal(sessions.accountOf(token), ANN);
  }
  await clock.advance(SESSION_TTL_MS / 12 - 1);
  t.equal(sessions.accountOf(token), ANN);
  await clock.advance(1);
  t.equal(sessions.accountOf(token), null);
  sessions.sweep();
  t.equal(sessions.size, 0);
});

void t.test('the 101st of an account that is alone pushes out the one issued first', async (t) => {
  const { sessions } = start();
  const tokens = Array.from({ length: 100 }, () => sessions.create(ANN));
  sessions.accountOf(tokens[0] ?? '');
  sessions.create(ANN);
  t.equal(sessions.size, 100);
  t.equal(sessions.accountOf(tokens[0] ?? ''), null);
  t.equal(sessions.accountOf(tokens[1] ?? ''), ANN);
});

void t.test('beside others an account has 20, and its 21st pushes out its own first', async (t) => {
  const { sessions } = start();
  const ann = sessions.create(ANN);
  const bobs = Array.from({ length: 120 }, () => sessions.create(BOB));
  t.equal(sessions.accountOf(ann), ANN);
  t.equal(sessions.size, 21);
  t.same(
    bobs.map((token) => sessions.accountOf(token) === BOB),
    bobs.map((_, place) => place >= 100),
  );
});

void t.test('the 101st of all pushes out the first of whoever has most', async (t) => {
  const { sessions } = start();
  const many = [10, 20, 20, 19, 18, 13].map((count, place) => {
    const id = parseAccountId(place + 3);
    return { id, tokens: Array.from({ length: count }, () => sessions.create(id)) };
  });
  t.equal(sessions.size, 100);
  for (const account of [ANN, BOB, BOB]) t.equal(sessions.accountOf(sessions.create(account)), account);
  t.equal(sessions.size, 100);
  const lost = many.map(({ tokens }) => tokens.findIndex((token) => sessions.accountOf(token) !== null));
  t.same(lost, [0, 2, 1, 0, 0, 0], 'so many of the first ones of each');
});

void t.test('revoking an account ends its sessions and no others, and says so', async (t) => {
  const { sessions } = start();
  let told = 0;
  sessions.onRevoked(() => told++);
  const [ann, bob] = [sessions.create(ANN), sessions.create(BOB)];
  sessions.revokeAccount(ANN);
  t.equal(sessions.accountOf(ann), null);
  t.equal(sessions.accountOf(bob), BOB);
  sessions.revoke(bob);
  sessions.revoke(bob);
  t.equal(sessions.accountOf(bob), null);
  t.equal(told, 2);
});
