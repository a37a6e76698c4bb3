// Two accounts and an administrator: what belongs to one is in nothing that the other is shown (lists, stats, frames,
// details), before it is shared, while it is, and after.
import t from 'tap';
import type { GlobalStats } from '../../../shared-protocol/dto/torrents.js';
import { parseInfoHash, type TorrentId } from '../../../shared-protocol/ids.js';
import { startHarness } from '../../support/api-harness.js';
import { openBrowser, scriptOf, THROUGH_A_PROXY, type Client, type LiveSocket } from '../../support/browser.js';

const PASSWORD = 'correct horse';
const ANNS = parseInfoHash('a'.repeat(40));
const BOBS = parseInfoHash('b'.repeat(40));
const ADMINS = parseInfoHash('c'.repeat(40));

interface Listed {
  readonly id: string;
  readonly access: string;
}

const shown = (torrents: readonly Listed[]) => torrents.map(({ id, access }) => `${id[0]} ${access}`);

/** ann and bob, each with a browser, a script and a socket of each, and one torrent each. */
async function start(t: { teardown(handler: () => Promise<void>): void }) {
  const harness = await startHarness({ args: THROUGH_A_PROXY });
  t.teardown(() => harness.close());
  const admin = await scriptOf(harness, await openBrowser(harness, 'admin', harness.password));
  const join = async (username: string, torrent: TorrentId) => {
    const user = { username, password: PASSWORD, perm_add_torrents: true, perm_share: true };
    const { id } = await admin.ask<{ id: number }>('POST', '/api/users', user);
    const browser = await openBrowser(harness, username, PASSWORD);
    const script = await scriptOf(harness, browser);
    await add(script, torrent);
    return { id, browser, script, sockets: [await browser.socket(), await script.socket()] as const };
  };
  const ann = await join('ann', ANNS);
  const bob = await join('bob', BOBS);
  await add(admin, ADMINS);
  for (const [index, id] of [ANNS, BOBS, ADMINS].entries()) {
    harness.engine.setStats(id, { downloadRate: 10 ** index, uploadRate: 5 * 10 ** index, peers: 2 * 10 ** index });
  }
  const focus = (client: Client, id: string) =>
    client.call('POST', '/api/inspector/focus', { id, tabs: ['files', 'peers', 'trackers'] });
  return { harness, admin, ann, bob, focus };
}

const add = (client: Client, id: string) =>
  client.ask('POST', '/api/torrents/magnet', { magnet: `magnet:?xt=urn:btih:${id}&dn=name-of-${id[0]}` });

/** Whether any frame since the mark names the torrent. */
const heardOf = (sockets: readonly LiveSocket[], id: string, from = 0) =>
  sockets.some(({ frames }) => frames.slice(from).some(({ text }) => text.includes(id)));

/** A whole tick later, details included. */
async function twoTicks(...sockets: readonly LiveSocket[]): Promise<void> {
  for (let n = 0; n < 2; n++) await Promise.all(sockets.map((socket) => socket.next('stats:tick')));
}

// They mostly wait for ticks.
t.jobs = 4;

void t.test(
  'who adds a torrent again changes its trackers only where it may edit them',
  { buffered: true },
  async (t) => {
    const { harness, ann, bob } = await start(t);
    const again = (client: Client, tracker: string) => {
      const magnet = `magnet:?xt=urn:btih:${ANNS}&tr=${encodeURIComponent(tracker)}`;
      return client.call('POST', '/api/torrents/url', { url: magnet });
    };
    const share = (access: string) =>
      ann.script.ask('POST', `/api/torrents/${ANNS}/shares`, { user_id: bob.id, access });
    await share('viewer');
    t.match(await again(bob.script, 'http://evil.example/announce'), { status: 200, text: /"existed":true/ });
    t.same(harness.engine.trackersOf(ANNS), []);
    await share('editor');
    t.match(await again(bob.browser, 'http://good.example/announce'), { status: 200, text: /"existed":true/ });
    t.same(harness.engine.trackersOf(ANNS), ['http://good.example/announce']);
    t.equal((await again(ann.script, 'http://own.example/announce')).status, 200);
    t.equal(harness.engine.trackersOf(ANNS).length, 2);
  },
);

void t.test('nothing of one is shown to the other', { buffered: true }, async (t) => {
  const { admin, ann, bob, focus } = await start(t);
  t.same(shown(await ann.browser.ask('GET', '/api/torrents')), ['a owner']);
  t.same(shown(await bob.script.ask('GET', '/api/torrents')), ['b owner']);
  t.same(shown(await admin.ask('GET', '/api/torrents')), ['c owner', 'b owner', 'a owner']);
  const stats = async (client: Client) => {
    const { total_torrents, total_download_rate, total_peers } = await client.ask<GlobalStats>('GET', '/api/stats');
    return [total_torrents, total_download_rate, total_peers];
  };
  t.same(await stats(ann.script), [1, 1, 2]);
  t.same(await stats(bob.browser), [1, 10, 20]);
  t.same(await stats(admin), [3, 111, 222]);

  const refusals = [await focus(bob.browser, ANNS), await focus(bob.browser, 'd'.repeat(40))];
  for (const { status, text } of refusals) t.same([status, text], [403, '{"error":"forbidden"}']);
  t.equal((await focus(ann.browser, ANNS)).status, 200);
  for (const socket of ann.sockets) t.match(await socket.next('inspector:tick'), { id: ANNS });
  t.match(await ann.sockets[0].next('stats:tick'), { total_torrents: 1, total_download_rate: 1, total_peers: 2 });
  t.match(await bob.sockets[0].next('stats:tick'), { total_torrents: 1, total_download_rate: 10, total_peers: 20 });
  await twoTicks(...bob.sockets);
  t.notOk(heardOf(bob.sockets, ANNS) || heardOf(bob.sockets, ADMINS), 'bob has not heard of others');
  t.notOk(heardOf(ann.sockets, BOBS) || heardOf(ann.sockets, ADMINS), 'nor has ann');
  t.notOk(bob.sockets.some(({ frames }) => frames.some(({ type }) => type === 'inspector:tick')));
  t.ok(heardOf(ann.sockets, ANNS) && heardOf(bob.sockets, BOBS), 'each hears of their own');
});

void t.test('shared, then more, then not any more', { buffered: true }, async (t) => {
  const { ann, bob, focus } = await start(t);
  const [, socket] = bob.sockets;
  const shares = `/api/torrents/${ANNS}/shares`;
  const pause = async () => (await bob.script.call('POST', `/api/torrents/${ANNS}/pause`)).status;
  const ticks = async () => shown(await socket.next<Listed[]>('torrents:tick'));

  t.equal(await pause(), 403);
  await ann.browser.ask('POST', shares, { user_id: bob.id, access: 'viewer' });
  t.same(await ticks(), ['b owner', 'a viewer'], 'on the next tick');
  t.match(await socket.next('stats:tick'), { total_torrents: 2, total_download_rate: 11 });
  t.same(shown(await bob.browser.ask('GET', '/api/torrents')), ['b owner', 'a viewer']);
  t.equal(await pause(), 403, 'a viewer looks');
  t.equal((await focus(bob.script, ANNS)).status, 200);
  t.match(await bob.sockets[0].next('inspector:tick'), { id: ANNS });
  t.equal((await bob.script.call('GET', shares)).status, 403);
  t.notOk(heardOf(ann.sockets, BOBS), 'sharing goes one way');
  t.notOk(ann.sockets.some(({ frames }) => frames.some(({ type }) => type === 'inspector:tick')));

  await ann.browser.ask('POST', shares, { user_id: bob.id, access: 'editor' });
  t.same(await ticks(), ['b owner', 'a editor']);
  t.equal(await pause(), 200);
  t.equal((await bob.script.call('DELETE', `/api/torrents/${ANNS}`)).status, 403);
  t.equal((await bob.script.call('POST', shares, { user_id: 1, access: 'viewer' })).status, 403);
  t.match(await ann.browser.ask('GET', shares), [
    { user_id: ann.id, username: 'ann', access: 'owner' },
    { user_id: bob.id, username: 'bob', access: 'editor' },
  ]);

  await ann.script.ask('DELETE', `${shares}/${bob.id}`);
  const marks = bob.sockets.map(({ frames }) => frames.length);
  t.same(await ticks(), ['b owner'], 'gone on the next tick');
  t.match(await socket.next('stats:tick'), { total_torrents: 1, total_download_rate: 10 });
  t.equal(await pause(), 403);
  t.equal((await focus(bob.browser, ANNS)).status, 403);
  await twoTicks(socket);
  for (const [index, each] of bob.sockets.entries()) t.notOk(heardOf([each], ANNS, marks[index]));
  await ann.browser.ask('DELETE', `${shares}/${bob.id}`);

  await ann.browser.ask('POST', shares, { user_id: bob.id, access: 'viewer' });
  await twoTicks(socket);
  const details = socket.frames.slice(marks[1]).filter(({ type }) => type === 'inspector:tick');
  t.same(details, [], 'what he looked at is not looked at again of itself');
});

void t.test(
  'an administrator demoted sees what a user sees, and its details are over',
  { buffered: true },
  async (t) => {
    const { harness, admin, ann, focus } = await start(t);
    const user = { username: 'eve', password: PASSWORD, role: 'admin' };
    const { id } = await admin.ask<{ id: number }>('POST', '/api/users', user);
    const eve = await scriptOf(harness, await openBrowser(harness, 'eve', PASSWORD));
    t.equal((await focus(eve, ANNS)).status, 200);
    const before = await eve.socket();
    t.match(await before.next('inspector:tick'), { id: ANNS });
    await ann.script.ask('POST', `/api/torrents/${ANNS}/shares`, { user_id: id, access: 'viewer' });
    t.match(await eve.ask('GET', '/api/torrents'), { length: 3 }, 'a share means nothing to an administrator');
    await admin.ask('PUT', `/api/users/${id}`, { role: 'user' });
    t.same(shown(await eve.ask('GET', '/api/torrents')), ['a viewer'], 'and then it does');
    await ann.script.ask('DELETE', `/api/torrents/${ANNS}/shares/${id}`);
    const after = await eve.socket();
    await twoTicks(after);
    for (const torrent of [ANNS, BOBS, ADMINS]) t.notOk(heardOf([after], torrent));
  },
);

void t.test('who can be shared with', { buffered: true }, async (t) => {
  const { admin, ann, bob } = await start(t);
  const { id } = await admin.ask<{ id: number }>('POST', '/api/users', { username: 'eve', password: PASSWORD });
  const everybody = [
    { id: 1, username: 'admin' },
    { id: bob.id, username: 'bob' },
    { id, username: 'eve' },
  ];
  t.same(await ann.script.ask('GET', '/api/share_targets'), everybody);
  const shares = `/api/torrents/${ANNS}/shares`;
  await ann.script.ask('POST', shares, { user_id: id, access: 'viewer' });
  await admin.ask('PUT', `/api/users/${id}`, { disabled: true });
  t.same(await ann.script.ask('GET', '/api/share_targets'), everybody.slice(0, 2));
  t.match(await ann.script.call('POST', shares, { user_id: id, access: 'editor' }), {
    status: 404,
    text: '{"error":"user not found"}',
  });
  t.match(await ann.script.ask('GET', shares), { length: 2 });
  await admin.ask('DELETE', `/api/users/${id}`);
  t.match(await ann.script.ask('GET', shares), { length: 1 }, 'the grants of those who are gone are gone');
  t.same(await ann.script.ask('DELETE', `${shares}/${id}`), { ok: true });
  await admin.ask('PUT', `/api/users/${ann.id}`, { perm_share: false });
  t.equal((await ann.script.call('POST', shares, { user_id: bob.id, access: 'viewer' })).status, 403);
  t.equal((await ann.script.call('GET', '/api/share_targets')).status, 403);
  t.equal((await ann.script.call('GET', shares)).status, 200, 'an owner may still look');
});
