// An account without any permission changes its password over and over, on many connections at once, at the real cost of a
// hash: everybody else signs in as ever, and guesses at the old one are counted.
import t, { type Test } from 'tap';
import { Passwords } from '../../../api/auth/passwords.js';
import { startHarness } from '../../support/api-harness.js';
import { openBrowser, scriptOf, THROUGH_A_PROXY, tryToSignIn, type Client } from '../../support/browser.js';

const PASSWORD = 'correct horse';
const CONNECTIONS = 40;

async function start(t: Test) {
  const harness = await startHarness({ args: THROUGH_A_PROXY, passwords: new Passwords() });
  t.teardown(() => harness.close());
  const admin = await openBrowser(harness, 'admin', harness.password);
  for (const username of ['bob', 'ann']) await admin.ask('POST', '/api/users', { username, password: PASSWORD });
  const bob = await scriptOf(harness, await openBrowser(harness, 'bob', PASSWORD));
  return { harness, admin, bob };
}

/** Each connection asks again as soon as it has its answer; the statuses that there were. */
function hammer(client: Client, body: object) {
  const statuses = new Set<number>();
  let isOver = false;
  let answers = 0;
  const connections = Array.from({ length: CONNECTIONS }, async () => {
    while (!isOver) {
      statuses.add((await client.call('POST', '/api/me/password', body)).status);
      answers++;
    }
  });
  return {
    statuses,
    busy: async () => {
      while (answers < CONNECTIONS) await new Promise<void>((resolve) => void setImmediate(resolve));
    },
    stop: async () => {
      isOver = true;
      await Promise.all(connections);
    },
  };
}

for (const [kind, old_password] of [
  ['right', PASSWORD],
  ['wrong', 'battery staple'],
] as const) {
  void t.test(
    `40 connections with the ${kind} password: 5 of 5 sign-ins and a change of another account`,
    async (t) => {
      const { harness, bob } = await start(t);
      const flood = hammer(bob, { old_password, new_password: PASSWORD });
      await flood.busy();
      for (let place = 0; place < 5; place++) {
        t.equal((await tryToSignIn(harness, 'admin', harness.password)).status, 200);
      }
      const ann = await openBrowser(harness, 'ann', PASSWORD);
      t.equal(
        (await ann.call('POST', '/api/me/password', { old_password: PASSWORD, new_password: PASSWORD })).status,
        200,
      );
      await flood.stop();
      t.ok(flood.statuses.has(429), 'the flood was refused');
      t.notOk([...flood.statuses].some((status) => ![200, 400, 429].includes(status)));
    },
  );
}

void t.test('five wrong old passwords of an account, by whatever credential, then it has to wait', async (t) => {
  const { harness, bob } = await start(t);
  const body = { old_password: 'wrong', new_password: PASSWORD };
  const other = await openBrowser(harness, 'bob', PASSWORD);
  const answers = await Promise.all(
    [bob, other, bob, other, bob, other, bob].map((client) => client.call('POST', '/api/me/password', body)),
  );
  t.same(answers.map(({ status }) => status).sort(), [400, 400, 400, 400, 400, 429, 429]);
  const last = await bob.call('POST', '/api/me/password', { ...body, old_password: PASSWORD });
  t.match(last, { status: 429, headers: { 'retry-after': '12' } }, 'the right one as well');
  t.same(last.json(), { error: 'too many login attempts' });
  const ann = await openBrowser(harness, 'ann', PASSWORD);
  t.equal((await ann.call('POST', '/api/me/password', body)).status, 400, 'others are not concerned');
});

void t.test('right ones are not counted', async (t) => {
  const { bob } = await start(t);
  const body = { old_password: PASSWORD, new_password: PASSWORD };
  for (let place = 0; place < 7; place++) t.equal((await bob.call('POST', '/api/me/password', body)).status, 200);
});
