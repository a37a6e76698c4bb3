// Credentials that were made at one front a moment ago open the other, as behind a balancer that deals out requests in turn; and
// strangers who make them up cost the database next to nothing.
import { randomBytes } from 'node:crypto';
import { Client as Connection } from 'pg';
import t, { type Test } from 'tap';
import { openBrowser, Client } from '../../support/browser.js';
import { testWith } from '../../support/peers/index.js';
import { postgres } from '../../support/postgres.js';
import { startTwoFronts, PASSWORD } from '../../support/two-fronts.js';

const SIGN_INS = 50;
const STRANGERS = 200;

void testWith(t, postgres, `${SIGN_INS} sign-ins are known at the other front at once`, async (t) => {
  const { startFront, browser } = await startTwoFronts(t);
  const fronts = await Promise.all([startFront('one'), startFront('other')]);
  const refused: number[] = [];
  for (let i = 0; i < SIGN_INS; i++) {
    const [here, there] = [fronts[i % 2]!, fronts[(i + 1) % 2]!];
    const { headers } = await browser(here);
    const moved = new Client(there, { ...headers, origin: there.daemon.url });
    if (i % 10 === 0) await (await moved.socket()).close();
    else if (!(await moved.isKnown())) refused.push(i);
  }
  t.same(refused, []);
});

void testWith(t, postgres, 'accounts, passwords and keys that were made at one open the other at once', async (t) => {
  const { startFront, browser } = await startTwoFronts(t);
  const [one, other] = await Promise.all([startFront('one'), startFront('other')]);
  const admin = await browser(one);
  await admin.ask('PUT', '/api/settings/compatible', { qbittorrent: true });
  for (let i = 0; i < 10; i++) {
    const username = `bob${i}`;
    await admin.ask('POST', '/api/users', { username, password: PASSWORD });
    const bob = await openBrowser(other, username, PASSWORD);
    const { api_key } = await bob.ask<{ api_key: string }>('POST', '/api/me/api_key/rotate');
    const script = new Client(one, { authorization: `Bearer ${api_key}` });
    t.equal((await script.call('GET', '/api/me')).status, 200, `the key of ${username}`);
    await bob.ask('POST', '/api/me/password', { old_password: PASSWORD, new_password: `${PASSWORD} new` });
    await openBrowser(one, username, `${PASSWORD} new`);
    await admin.ask('POST', '/api/users', { username: `tool${i}`, password: PASSWORD });
    const basic = `Basic ${Buffer.from(`tool${i}:${PASSWORD}`).toString('base64')}`;
    t.equal((await new Client(other, { authorization: basic }).call('GET', '/api/v2/app/version')).status, 200);
  }
});

void testWith(t, postgres, `${STRANGERS} strangers at once cost a part of as many reads`, async (t) => {
  const { startFront } = await startTwoFronts(t);
  const front = await startFront('one');
  const reads = countReads(t);
  const ask = (token: string) => new Client(front, { cookie: `service_session=${token}` }).call('GET', '/api/me');
  const madeUp = Array.from({ length: STRANGERS }, () => ask(randomBytes(32).toString('base64url')));
  const statuses = (await Promise.all(madeUp)).map(({ status }) => status);
  t.same(new Set(statuses), new Set([401]));
  t.comment(`${reads.count} reads`);
  // Of two records; how many ask at one moment is the machine's to say.
  t.ok(reads.count > 0 && reads.count <= STRANGERS / 2, `${reads.count} reads`);
  reads.count = 0;
  await Promise.all(Array.from({ length: STRANGERS }, (_, i) => ask(`made-up-${i}`)));
  t.equal(reads.count, 0, 'and none for what has not the form of a session');
});

/** Counts queries for the records of other fronts, of all connections of the process. */
function countReads(t: Test): { count: number } {
  const reads = { count: 0 };
  const { query } = Connection.prototype;
  Connection.prototype.query = function (this: Connection, ...args: unknown[]) {
    if (JSON.stringify(args[0]).includes('revision > $2')) reads.count++;
    return Reflect.apply(query, this, args) as unknown;
  } as typeof query;
  t.teardown(() => void (Connection.prototype.query = query));
  return reads;
}
