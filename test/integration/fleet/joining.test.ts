// A machine joins a fleet and leaves it again, by the steps of docs/operate/fleet.md and with real processes: its records go into
// PostgreSQL, its data directory goes on as that of an engine, a front has both; and all the way back.
import { createServer } from 'node:http';
import { once } from 'node:events';
import type { AddressInfo } from 'node:net';
import { readFileSync } from 'node:fs';
import { mkdir, stat, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import t, { type Test } from 'tap';
import { MAIN, signIn, startDaemon, type DaemonUnderTest } from '../../support/daemon.js';
import { makeTorrent, seededBytes } from '../../support/make-torrent.js';
import { startOwnEngine } from '../../support/own-engine.js';
import { testWith } from '../../support/peers/index.js';
import { makeScratch } from '../../support/peers/scratch.js';
import { seedContent } from '../../support/peers/scripted-seed.js';
import { waitUntil } from '../../support/peers/wait-until.js';
import { postgres, PostgresCluster } from '../../support/postgres.js';
import { databaseFileIn } from '../../support/records-scene.js';
import { swarmd } from '../../support/swarmd-command.js';

const PIECE = 262_144;
const MIB = 1024 * 1024;
/** Much more than a process reads that begins without looking into files. */
const WHOLE_BYTES = 128 * MIB;
const PART_BYTES = 8 * MIB;
const PART_BLOCKS = 128;
const TIMEOUT_MS = 60_000;
const BOB = { username: 'bob', password: 'bobs password' };
const RULE = {
  ...{ name: 'Pause what is seeded', enabled: false, actions: [{ action: 'pause' }] },
  when: { match: 'all', conditions: [{ field: 'ratio', op: 'at_least', value: 1_000_000 }] },
};
t.setTimeout(600_000);
/** What is started by hand here is not started once more by the daemon under test. */
process.env['SWARMD_TEST_ENGINE'] = '';

/** A feed with one torrent. */
async function serveFeed(t: Test, torrent: Uint8Array): Promise<string> {
  const server = createServer((request, response) => {
    if (request.url === '/one.torrent') return void response.end(torrent);
    const enclosure = `<enclosure url="${url}/one.torrent" type="application/x-bittorrent" length="1"/>`;
    const item = `<item><title>one s01</title><guid>one</guid>${enclosure}</item>`;
    response.setHeader('etag', '"first"');
    response.end(`<?xml version="1.0"?><rss version="2.0"><channel><title>f</title>${item}</channel></rss>`);
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  t.teardown(() => void server.close());
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  return url;
}

/** What its owner sees of a daemon, or of a front. */
async function seenAt({ api, torrents }: DaemonUnderTest) {
  const get = async (path: string) => (await api('GET', path)).json;
  const [feed] = (await get('/api/feeds')) as unknown as readonly { id: number }[];
  const users = (await get('/api/users')) as unknown as readonly { id: number }[];
  const listed = [...(await torrents())].sort((one, other) => (one.id < other.id ? -1 : 1));
  return {
    torrents: listed.map(({ id, name, save_path, bytes_done, completed, paused, category_id, error }) => ({
      ...{ id, name, save_path, bytes_done, completed, paused, category_id, error },
    })),
    // Each sign-in of the tests gives the administrator another key.
    users: users.map((user) => (user.id === 1 ? { ...user, api_key_hint: '' } : user)),
    categories: await get('/api/categories'),
    filters: await get('/api/filters'),
    feed: { ...feed, ...(await get(`/api/feeds/${feed?.id}/state`)), last_polled: 0, next_poll: 0 },
    rules: await get('/api/automations'),
    webhooks: await get('/api/webhooks'),
    limits: await get('/api/settings/limits'),
  };
}

/** Whether bob's key, his password and what his page keeps are as before. */
async function bobAt({ url }: DaemonUnderTest, key: string) {
  const headers = { authorization: `Bearer ${key}` };
  const preferences = await fetch(`${url}/api/me/preferences`, { headers });
  const login = await fetch(`${url}/api/login`, {
    method: 'POST',
    headers: { 'content-type': 'application/json', origin: url },
    body: JSON.stringify(BOB),
  });
  return { key: preferences.status, preferences: await preferences.json(), password: login.status };
}
const BOB_AS_BEFORE = { key: 200, preferences: { theme: 'dark' }, password: 200 };

/** Bytes that a process has read, from files and else. */
function bytesRead(pid: number): number {
  return Number(/^rchar: (\d+)/.exec(readFileSync(`/proc/${pid}/io`, 'utf8'))?.[1]);
}

void testWith(t, postgres, 'a machine joins and leaves with all that it has', async (t) => {
  const scratch = await makeScratch('joining', WHOLE_BYTES + PART_BYTES);
  t.teardown(() => scratch.remove());
  const [dataDir, savePath, frontDir] = ['data', 'downloads', 'front'].map((name) => join(scratch.path, name)) as [
    string,
    string,
    string,
  ];
  await mkdir(savePath);
  const cluster = await PostgresCluster.start();
  const databaseFile = await databaseFileIn(scratch.path, cluster.address(await cluster.createDatabase()));
  const carry = (direction: string) =>
    swarmd(['records', direction, '--data-dir', dataDir, '--database-file', databaseFile]);

  const single = await startDaemon({ dataDir, savePath });
  t.teardown(() => single.stop('SIGKILL'));
  const whole = makeTorrent({ name: 'whole.bin', pieceLength: PIECE, files: seededBytes(1, WHOLE_BYTES) });
  await writeFile(join(savePath, 'whole.bin'), whole.payload);
  const wholeId = await single.addTorrentFile(whole.torrentBytes);
  await single.waitFor(wholeId, ({ completed }) => completed, TIMEOUT_MS);
  await single.api('POST', '/api/users', { ...BOB, perm_add_torrents: true, home: join(savePath, 'bob') });
  const bobsKey = await signIn(single.url, BOB.password, BOB.username);
  await fetch(`${single.url}/api/me/preferences`, {
    method: 'PUT',
    headers: { authorization: `Bearer ${bobsKey}`, 'content-type': 'application/json' },
    body: JSON.stringify({ theme: 'dark' }),
  });
  const part = makeTorrent({ name: 'part.bin', pieceLength: PIECE, files: seededBytes(2, PART_BYTES) });
  const form = new FormData();
  form.set('file', new Blob([part.torrentBytes]), 'part.torrent');
  const added = await fetch(`${single.url}/api/torrents/file`, {
    method: 'POST',
    headers: { authorization: `Bearer ${bobsKey}` },
    body: form,
  });
  const { id: partId } = (await added.json()) as { id: string };
  const seed = await seedContent(
    { bytes: part.payload, infoHash: part.infoHash, pieceLength: PIECE },
    single.peerPort,
    PART_BLOCKS,
  );
  await single.waitFor(partId, ({ bytes_done }) => bytes_done >= PART_BLOCKS * 16_384 - PIECE, TIMEOUT_MS);
  seed.destroy();
  await single.api('POST', '/api/categories', { name: 'Films', default_save_path: savePath, color: '' });
  await single.api('POST', '/api/automations', RULE);
  await single.api('POST', '/api/webhooks', { url: 'http://webhook.invalid/', events: ['completed'] });
  const fed = makeTorrent({ name: 'fed.bin', pieceLength: PIECE, files: seededBytes(3, PIECE) });
  const feedUrl = await serveFeed(t, fed.torrentBytes);
  const feed = { url: `${feedUrl}/feed`, name: 'feed', interval_min: 0, enabled: true };
  const { json: made } = await single.api<{ id: number }>('POST', '/api/feeds', feed);
  const filter = { feed_id: made.id, regex: 's\\d{2}', category_id: null, save_path: '', enabled: true };
  t.equal((await single.api('POST', '/api/filters', filter)).status, 200);
  const fedId: string = fed.infoHash;
  await waitUntil('the feed brings its torrent', TIMEOUT_MS, async () =>
    (await single.torrents()).find(({ id }) => id === fedId),
  );
  t.equal((await single.api('DELETE', `/api/torrents/${fedId}?delete=1`)).status, 200);
  await single.api('PUT', '/api/settings/limits', {
    ...{ down_kbps: 0, up_kbps: 77_000, alt_down_kbps: 0, alt_up_kbps: 0, alt_active: false },
  });
  t.match(await carry('to-database'), { code: 1, err: /data directory in use by process/ });
  const before = await seenAt(single);
  t.match(before, {
    feed: { added: 1, etag: '"first"' },
    webhooks: [{ events: ['completed'] }],
    rules: [{ name: RULE.name }],
  });
  t.match(
    before.torrents.find(({ id }) => id === partId),
    { completed: false },
  );
  await single.stop();
  const { mtimeMs } = await stat(join(savePath, 'whole.bin'));

  const said = await carry('to-database');
  t.match(said, { code: 0, out: /^accounts\s+2$/m });
  t.match(said.out, /carried: from .* into PostgreSQL database/);
  t.match(await carry('to-database'), { code: 0, out: /nothing was left to do/ });
  await t.rejects(startDaemon({ dataDir, savePath }), /were carried into PostgreSQL .* start with --database-file/);
  const engine = await startOwnEngine(MAIN, {
    link: 'unix',
    dataDir,
    scratch: scratch.path,
    args: ['--roots', `data=${savePath}`],
  });
  t.teardown(() => engine.child.stop('SIGKILL'));
  const args = [...engine.flags, '--database-file', databaseFile];
  const front = await startDaemon({ dataDir: frontDir, savePath, args });
  t.teardown(() => front.stop('SIGKILL'));
  t.same(await seenAt(front), before, 'the front shows what the machine had');
  t.same(await bobAt(front, bobsKey), BOB_AS_BEFORE);
  t.ok(bytesRead(engine.child.pid) < WHOLE_BYTES / 2, `no file was checked: ${bytesRead(engine.child.pid)} bytes read`);
  t.match(await carry('to-files'), { code: 1, err: /in use/ });
  await front.api('POST', '/api/categories', { name: 'Series', default_save_path: savePath, color: '' });
  await front.api('POST', `/api/torrents/${wholeId}/pause`);
  const joined = await seenAt(front);
  t.match(
    joined.torrents.find(({ id }) => id === wholeId),
    { paused: true },
  );
  await front.stop();
  await engine.child.stop('SIGTERM');

  t.match(await carry('to-files'), { code: 0, out: /^carried: from PostgreSQL database .* into /m });
  const again = await startDaemon({ dataDir, savePath });
  t.teardown(() => again.stop('SIGKILL'));
  t.same(await seenAt(again), joined, 'the machine has what the front showed');
  t.match(joined.categories, [{ name: 'Films' }, { name: 'Series' }]);
  t.same(await bobAt(again, bobsKey), BOB_AS_BEFORE);
  t.ok(bytesRead(again.pid) < WHOLE_BYTES / 2, `no file was checked: ${bytesRead(again.pid)} bytes read`);
  t.equal((await stat(join(savePath, 'whole.bin'))).mtimeMs, mtimeMs);
  const rest = await seedContent(
    { bytes: part.payload, infoHash: part.infoHash, pieceLength: PIECE },
    again.peerPort,
    Infinity,
  );
  await again.waitFor(partId, ({ completed }) => completed, TIMEOUT_MS);
  t.ok(rest.sent <= PART_BYTES / 16_384 - PART_BLOCKS + 2 * (PIECE / 16_384), `${rest.sent} blocks were left to get`);
  rest.destroy();
});
