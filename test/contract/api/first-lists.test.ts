// What a socket that takes deltas is sent first is the list as it is for its account then, whatever others of that account
// were sent before: a share taken back and a lost role hide at once.
import t, { type Test } from 'tap';
import { startHarness } from '../../support/api-harness.js';
import { openBrowser, scriptOf, THROUGH_A_PROXY, type Client, type LiveSocket } from '../../support/browser.js';

const PASSWORD = 'correct horse';
const ANNS = 'a'.repeat(40);
const BOBS = 'b'.repeat(40);
const DELTAS = '?frames=delta';

async function start(t: Test) {
  const harness = await startHarness({ args: THROUGH_A_PROXY });
  t.teardown(() => harness.close());
  const admin = await scriptOf(harness, await openBrowser(harness, 'admin', harness.password));
  const join = async (username: string, torrent: string, role: string) => {
    const user = { username, password: PASSWORD, role, perm_add_torrents: true, perm_share: true };
    const { id } = await admin.ask<{ id: number }>('POST', '/api/users', user);
    const client = await scriptOf(harness, await openBrowser(harness, username, PASSWORD));
    await client.ask('POST', '/api/torrents/magnet', { magnet: `magnet:?xt=urn:btih:${torrent}` });
    return { id, client };
  };
  return { admin, join, ann: await join('ann', ANNS, 'user') };
}

/** What it was sent first. */
function firstList({ frames }: LiveSocket): string[] {
  const first = frames.find(({ type }) => type.startsWith('torrents:'));
  if (first?.type !== 'torrents:tick') throw new Error(`first ${first?.type}`);
  return (first.payload as { id: string }[]).map(({ id }) => id).sort();
}

const share = (owner: Client, user_id: number) =>
  owner.ask('POST', `/api/torrents/${ANNS}/shares`, { user_id, access: 'editor' });
const takeBack = (owner: Client, id: number) => owner.ask('DELETE', `/api/torrents/${ANNS}/shares/${id}`);

void t.test('a share was taken back while no socket of the account was open', async (t) => {
  const { ann, join } = await start(t);
  const bob = await join('bob', BOBS, 'user');
  await share(ann.client, bob.id);
  const before = await bob.client.socket(DELTAS);
  t.same(firstList(before), [ANNS, BOBS]);
  await before.close();
  await takeBack(ann.client, bob.id);
  t.same(firstList(await bob.client.socket(DELTAS)), [BOBS]);
});

void t.test('a share is taken back while another socket of the account is open', async (t) => {
  const { ann, join } = await start(t);
  const bob = await join('bob', BOBS, 'user');
  await share(ann.client, bob.id);
  const before = await bob.client.socket(DELTAS);
  // Right after a tick: the next is a second away.
  await before.next('stats:tick');
  await takeBack(ann.client, bob.id);
  const after = await bob.client.socket(DELTAS);
  t.same(firstList(after), [BOBS]);
  await before.next('stats:tick');
  const last = before.frames.filter(({ type }) => type.startsWith('torrents:')).at(-1);
  t.notOk(last?.text.includes(`"id":"${ANNS}"`), 'nor does the other have it a tick later');
});

void t.test('an administrator who has lost the role', async (t) => {
  const { admin, join } = await start(t);
  const bob = await join('bob', BOBS, 'admin');
  const before = await bob.client.socket(DELTAS);
  t.same(firstList(before), [ANNS, BOBS]);
  const demoted = admin.ask('PUT', `/api/users/${bob.id}`, { role: 'user' });
  t.ok(await before.closedWithin(3_000));
  await demoted;
  const after = await bob.client.socket(DELTAS);
  t.same(firstList(after), [BOBS]);
  t.notOk(after.frames.some(({ text }) => text.includes(ANNS)));
});
