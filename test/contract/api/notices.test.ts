// Notices: who is told of what, at once and over restarts, and that no account reads, marks or removes another's.
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { mock } from 'node:test';
import t, { type Test } from 'tap';
import { LOOK_MS } from '../../../api/services/automations/automation-runs.js';
import { SEEDING_CHECK_MS } from '../../../api/services/library/seeding-check.js';
import type { NoticesChanged, NoticesDto } from '../../../shared-protocol/dto/notices.js';
import { parseInfoHash, type TorrentId } from '../../../shared-protocol/ids.js';
import { TORRENT_FLAGS } from '../../../shared-protocol/stats-table.js';
import { startHarness, type HarnessOptions } from '../../support/api-harness.js';
import { openBrowser, scriptOf, THROUGH_A_PROXY, type Client, type LiveSocket } from '../../support/browser.js';
import { waitUntil } from '../../support/peers/wait-until.js';
import { startUpstream } from '../../support/upstream.js';
import { withRecords } from '../../support/own-database.js';
import { VirtualClock } from '../../support/virtual-clock.js';

const PASSWORD = 'correct horse';
const idOf = (n: number): TorrentId => parseInfoHash(n.toString(16).padStart(40, '0'));
const [A, B, C] = [1, 2, 3].map(idOf) as [TorrentId, TorrentId, TorrentId];
const COMPLETE = { completedAt: 1_700_000_000 };
const BROKEN = { error: { code: 'DISK_FAILED', message: 'read error' } } as const;

async function start(options: HarnessOptions & { readonly password?: string } = {}) {
  const harness = await startHarness({ ...options, args: [...THROUGH_A_PROXY, ...(options.args ?? [])] });
  const admin = await scriptOf(harness, await openBrowser(harness, 'admin', options.password ?? harness.password));
  const account = async (username: string) => {
    const rights = { perm_add_torrents: true, perm_share: true, perm_manage_rss: true };
    const user = { username, password: PASSWORD, ...rights };
    const { id } = await admin.ask<{ id: number }>('POST', '/api/users', user);
    return { id, client: await scriptOf(harness, await openBrowser(harness, username, PASSWORD)) };
  };
  const add = (client: Client, id: TorrentId, name = `torrent ${id[39]}`) =>
    client.ask('POST', '/api/torrents/magnet', { magnet: `magnet:?xt=urn:btih:${id}&dn=${encodeURIComponent(name)}` });
  const of = (client: Client) => client.ask<NoticesDto>('GET', '/api/notices');
  /** Once there are so many. */
  const told = (client: Client, count: number) =>
    waitUntil(`${count} notices`, 10_000, async () => {
      const { notices } = await of(client);
      return notices.length >= count ? notices : undefined;
    });
  return { harness, admin, account, add, of, told };
}

/** The message of a socket that is so, which may have come already. */
async function heard(socket: LiveSocket, isIt: (changed: NoticesChanged) => boolean): Promise<NoticesChanged> {
  return waitUntil('notices:changed', 10_000, () =>
    socket.frames
      .filter(({ type }) => type === 'notices:changed')
      .map(({ payload }) => payload as NoticesChanged)
      .find(isIt),
  );
}

async function startWith(t: Test, options: HarnessOptions = {}) {
  const world = await start(options);
  t.teardown(() => world.harness.close());
  return { ...world, ann: await world.account('ann'), bob: await world.account('bob') };
}

void t.test('who holds a torrent and who it is shared with is told, at once, and nobody else', async (t) => {
  const { harness, admin, ann, bob, add, of, told } = await startWith(t);
  const [anns, admins] = [await ann.client.socket(), await admin.socket()];
  await add(ann.client, A);
  harness.engine.setStats(A, { totalDown: 1 });
  harness.engine.setFacts(A, COMPLETE);
  const isNews = ({ added }: NoticesChanged) => added.length > 0;
  t.match(await heard(anns, isNews), {
    unread: { completed: 1, error: 0 },
    added: [{ kind: 'completed', torrent_id: A, name: 'torrent 1', read: false, count: 1 }],
  });
  await add(ann.client, B);
  await ann.client.ask('POST', `/api/torrents/${B}/shares`, { user_id: bob.id, access: 'viewer' });
  harness.engine.setFacts(B, BROKEN);
  t.match(await told(ann.client, 2), [
    { kind: 'error', torrent_id: B, code: 'DISK_FAILED', message: 'read error' },
    { kind: 'completed' },
  ]);
  t.match(await told(bob.client, 1), [{ kind: 'error', torrent_id: B }]);
  t.equal((await of(bob.client)).notices.length, 1, 'of the other torrent nothing');
  t.same((await of(admin)).notices, [], 'an administrator is told of its own');
  t.notOk(admins.frames.some(({ type, text }) => type === 'notices:changed' && text.includes('torrent')));
  await ann.client.ask('DELETE', `/api/torrents/${B}/shares/${bob.id}`);
  await ann.client.ask('POST', '/api/notices/read', {});
  harness.engine.setStats(B, { totalDown: 1 });
  harness.engine.setFacts(B, COMPLETE);
  await told(ann.client, 3);
  t.equal((await of(bob.client)).notices.length, 1, 'what is shared no more is not told');
  await Promise.all([anns.close(), admins.close()]);
});

void t.test('what was downloaded is told, a burst of it in one notice; what was found on disk is not', async (t) => {
  const { harness, ann, add, of, told } = await startWith(t);
  for (const id of [A, B, C]) await add(ann.client, id);
  harness.engine.setFacts(A, COMPLETE);
  for (const id of [B, C]) harness.engine.setStats(id, { totalDown: 1 });
  for (const id of [B, C]) harness.engine.setFacts(id, COMPLETE);
  t.match(await told(ann.client, 1), [{ kind: 'completed', torrent_id: B, count: 2 }]);
  t.match(await of(ann.client), { unread: { completed: 1 }, notices: { length: 1 } });
});

void t.test('of two that hold it, each is told by the name it gave', async (t) => {
  const { harness, ann, bob, add, told } = await startWith(t);
  await add(ann.client, A);
  await add(bob.client, A);
  await ann.client.ask('PUT', `/api/torrents/${A}/name`, { name: 'secret name of ann' });
  harness.engine.setStats(A, { totalDown: 1 });
  harness.engine.setFacts(A, { ...COMPLETE, error: { code: 'DISK_FAILED', message: 'x' } });
  t.match(await told(ann.client, 2), [{ kind: 'error' }, { kind: 'completed', name: 'secret name of ann' }]);
  const bobs = await told(bob.client, 2);
  t.match(bobs, [{ kind: 'error' }, { kind: 'completed', torrent_id: A }]);
  t.notMatch(JSON.stringify(bobs), 'secret');
});

void t.test(
  'a full disk is one notice for all that wait for it, and an error is told once while it is unread',
  async (t) => {
    const { harness, ann, add, of, told } = await startWith(t);
    const full = { error: { code: 'DISK_FULL', message: 'no room left on the disk (1 MiB free)' } } as const;
    for (const id of [A, B, C]) await add(ann.client, id);
    for (const id of [A, B]) harness.engine.setFacts(id, full);
    // As it comes and goes while there is hardly any room.
    harness.engine.setFacts(A, { error: null });
    harness.engine.setFacts(A, full);
    for (const turn of [1, 2]) {
      harness.engine.setFacts(C, { error: { code: 'DISK_FAILED', message: `try ${turn}` } });
      harness.engine.setFacts(C, { error: null });
    }
    t.match(await told(ann.client, 2), [
      { kind: 'error', torrent_id: C, message: 'try 2' },
      { kind: 'disk_full', count: 2, name: 'torrent 1' },
    ]);
    t.equal((await of(ann.client)).notices.length, 2);
  },
);

void t.test('marks and removals are of the caller’s own, up to what it has seen, and all its pages know', async (t) => {
  const { harness, ann, bob, add, of, told } = await startWith(t);
  for (const id of [A, B, C]) await add(ann.client, id);
  for (const id of [A, B]) harness.engine.setFacts(id, BROKEN);
  const [second, first] = await told(ann.client, 2);
  harness.engine.setFacts(C, BROKEN);
  await told(ann.client, 3);
  const other = await ann.client.socket();
  await ann.client.ask('POST', '/api/notices/read', { up_to: second!.id });
  t.match(await heard(other, ({ unread }) => unread.error === 1), { added: [] });
  t.same(
    (await of(ann.client)).notices.map(({ read }) => read),
    [false, true, true],
  );
  for (const [method, path, body] of [
    ['POST', '/api/notices/read', {}],
    ['POST', '/api/notices/read', { account: ann.id, id: ann.id }],
    ['DELETE', '/api/notices', undefined],
    ['DELETE', `/api/notices?account=${ann.id}`, undefined],
  ] as const) {
    t.equal((await bob.client.call(method, path, body)).status, 200);
  }
  t.equal((await bob.client.call('DELETE', `/api/notices/${first!.id}`)).status, 404);
  t.match(await of(ann.client), { unread: { error: 1 }, notices: { length: 3 } });
  await ann.client.ask('DELETE', `/api/notices/${first!.id}`);
  t.equal((await of(ann.client)).notices.length, 2);
  await ann.client.ask('DELETE', `/api/notices?up_to=${second!.id}`);
  t.same(
    (await of(ann.client)).notices.map(({ torrent_id }) => torrent_id),
    [C],
  );
  await other.close();
});

void t.test('they survive a restart with their marks, and go with the account', async (t) => {
  const dataDir = await mkdtemp(join(tmpdir(), 'swarmd-notices-'));
  t.teardown(() => rm(dataDir, { recursive: true }));
  const first = await start({ dataDir });
  const [ann, bob] = [await first.account('ann'), await first.account('bob')];
  for (const [client, id] of [
    [ann.client, A],
    [ann.client, B],
    [bob.client, C],
  ] as const) {
    await first.add(client, id);
    first.harness.engine.setFacts(id, BROKEN);
  }
  await first.told(bob.client, 1);
  const [last] = await first.told(ann.client, 2);
  await ann.client.ask('POST', '/api/notices/read', { up_to: last!.id });
  await first.admin.ask('DELETE', `/api/users/${bob.id}`);
  await first.harness.close();
  const again = await start({ dataDir, password: first.harness.password });
  t.teardown(() => again.harness.close());
  const client = await scriptOf(again.harness, await openBrowser(again.harness, 'ann', PASSWORD));
  t.match(await again.of(client), { unread: { error: 0 }, notices: [{ read: true }, { read: true }] });
  const kept = await withRecords(dataDir, (store) => store.names('notices/'));
  t.match([kept.includes(`notices/${ann.id}`), kept.includes(`notices/${bob.id}`)], [true, false]);
  const socket = await client.socket();
  t.match(await heard(socket, () => true), { unread: { error: 0 }, added: [] });
  await socket.close();
});

void t.test('the last 300 are kept, and a burst is told in few messages', async (t) => {
  const { harness, ann, add, of } = await startWith(t);
  const ids = Array.from({ length: 310 }, (_, n) => idOf(n + 1));
  await Promise.all(ids.map((id) => add(ann.client, id)));
  const socket = await ann.client.socket();
  for (const id of ids) harness.engine.setFacts(id, BROKEN);
  const { unread, notices } = await waitUntil('all', 10_000, async () => {
    const all = await of(ann.client);
    return all.notices[0]?.id === 310 ? all : undefined;
  });
  t.equal(notices.length, 300);
  t.match(unread, { error: 300 });
  t.ok(socket.frames.filter(({ type }) => type === 'notices:changed').length < 30);
  await socket.close();
});

void t.test('what has seeded enough, and what automations do', async (t) => {
  mock.timers.enable({ apis: ['setInterval'] });
  t.teardown(() => mock.timers.reset());
  const { harness, admin, ann, bob, add, of } = await startWith(t);
  const seeds = { flags: TORRENT_FLAGS.completed, bytesDone: 100, totalUp: 1_000 };
  await add(ann.client, A);
  harness.engine.setStats(A, seeds);
  await ann.client.ask('PUT', `/api/torrents/${A}/seed_policy`, {
    use_global: false,
    ratio_limit: 2,
    time_min_limit: null,
  });
  const until = (client: Client, kind: string) =>
    waitUntil(kind, 10_000, async () => {
      mock.timers.tick(Math.max(SEEDING_CHECK_MS, LOOK_MS));
      return (await of(client)).notices.find((notice) => notice.kind === kind);
    });
  t.match(await until(ann.client, 'seeding_ended'), { torrent_id: A, code: 'ratio', action: 'pause' });
  await add(bob.client, B);
  harness.engine.setStats(B, seeds);
  await bob.client.ask('POST', '/api/automations', {
    ...{ name: 'Pause seeds', actions: [{ action: 'pause' }] },
    when: { match: 'all', conditions: [{ field: 'ratio', op: 'at_least', value: 1 }] },
  });
  t.match(await until(bob.client, 'automation'), { torrent_id: B, source: 'Pause seeds', code: 'acted', count: 1 });
  t.match((await of(ann.client)).notices, { length: 1 });
  t.same((await of(admin)).notices, []);
});

void t.test('what a feed adds, and that it fails, is told to whose feed it is, without its key', async (t) => {
  const clock = new VirtualClock();
  const { ann, of, admin } = await startWith(t, { args: ['--fetch-allow', '127.0.0.0/8'], deps: { clock } });
  let isBroken = false;
  const item = (n: number) =>
    `<item><title>T${n}</title><guid>${n}</guid><link>magnet:?xt=urn:btih:${idOf(n)}&amp;dn=item-${n}</link></item>`;
  const server = await startUpstream((_request, response) => {
    if (isBroken) response.statusCode = 404;
    response.end(`<rss version="2.0"><channel>${item(1)}${item(2)}</channel></rss>`);
  });
  t.teardown(() => server.close());
  const url = `${server.origin}/feed?passkey=0123456789abcdef0123456789abcdef`;
  const { id } = await ann.client.ask<{ id: number }>('POST', '/api/feeds', { url, name: 'Releases' });
  await ann.client.ask('POST', '/api/filters', { feed_id: id, regex: '' });
  const until = (kind: string, stepMs: number) =>
    waitUntil(kind, 10_000, async () => {
      await clock.advance(stepMs);
      return (await of(ann.client)).notices.find((notice) => notice.kind === kind);
    });
  await until('added_by_feed', 1_000);
  await waitUntil('both', 10_000, async () => ((await of(ann.client)).notices[0]?.count === 2 ? true : undefined));
  t.match((await of(ann.client)).notices, [{ source: 'Releases', source_id: id, name: 'item-2' }]);
  isBroken = true;
  const failing = await until('feed_failing', 30 * 60_000);
  t.match(failing, { source: 'Releases', message: /404/, torrent_id: null });
  t.notMatch(failing.message, '0123456789abcdef');
  t.same((await of(admin)).notices, []);
});

void t.test('that a backup which was due could not be made is told to administrators alone', async (t) => {
  const clock = new VirtualClock();
  const folder = await mkdtemp(join(tmpdir(), 'swarmd-notices-'));
  t.teardown(() => rm(folder, { recursive: true }));
  const directory = join(folder, 'backups');
  await writeFile(directory, 'in the way');
  const args = ['--backup-every', '24', '--backup-dir', directory];
  const { admin, ann, of } = await startWith(t, { args, deps: { clock } });
  const notice = await waitUntil('a notice', 20_000, async () => {
    await clock.advance(60_000);
    return (await of(admin)).notices[0];
  });
  t.match(notice, { kind: 'backup_failing', code: 'STORAGE_FAILED', torrent_id: null, count: 0, read: false });
  t.ok(notice.message.includes(directory), notice.message);
  t.same((await of(ann.client)).notices, []);
});
