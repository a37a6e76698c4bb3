// Torrents that bring as much as they can of everything: no entry of a list is longer than 16 KiB for that, to whoever
// it is shown and after a restart as well.
import { join } from 'node:path';
import t, { type Test } from 'tap';
import { MAX_TORRENT_DTO_BYTES, MAX_MAGNET_TRACKER_CHARS } from '../../shared-protocol/torrent-bounds.js';
import { startDaemon, type DaemonUnderTest } from '../support/daemon.js';
import { makeTorrent, seededBytes } from '../support/make-torrent.js';
import { makeScratch } from '../support/peers/scratch.js';

/** Encoded it takes three times as much. */
const TRACKERS = Array.from({ length: 200 }, (_, i) => `http://${i}.example/`.padEnd(2_048, '/'));
const LONG_NAME = '\u2603'.repeat(5_000);
const TORRENTS = 12;

t.setTimeout(180_000);

const made = (seed: number) =>
  makeTorrent({
    name: `${LONG_NAME}${seed}`,
    pieceLength: 16_384,
    files: seededBytes(seed, 1_000),
    trackers: TRACKERS.map((url) => [`${url}${seed}`.slice(-2_048).replace(/^[^h]*/, '')]),
    webSeeds: TRACKERS,
  });

void t.test('what torrents bring makes no list long', async (t) => {
  const scratch = await makeScratch('bounds');
  t.teardown(() => scratch.remove());
  const state = { dataDir: join(scratch.path, 'data'), savePath: join(scratch.path, 'downloads') };
  const first = await startDaemon(state);
  t.teardown(() => first.stop());
  const viewer = { username: 'viewer', password: 'correct horse', role: 'user' };
  t.equal((await first.api('POST', '/api/users', viewer)).status, 200);
  const deep = Array.from({ length: 16 }, () => '"'.repeat(120)).join('/');
  for (let seed = 0; seed < TORRENTS; seed++) {
    const id = await first.addTorrentFile(made(seed).torrentBytes, seed % 2 ? '' : deep);
    t.equal((await first.api('POST', `/api/torrents/${id}/shares`, { user_id: 2, access: 'viewer' })).status, 200);
  }
  const link = `magnet:?xt=urn:btih:${'ab'.repeat(20)}&dn=${encodeURIComponent(LONG_NAME.slice(0, 1_000))}`;
  const id = await first.addMagnet(
    `${link}${TRACKERS.slice(0, 9)
      .map((url) => `&tr=${encodeURIComponent(url)}`)
      .join('')}`,
  );
  await tagAll(t, first, id);
  await checkLists(t, first);
  const tracker = { url: 'udp://one.more.example:80' };
  t.match(await first.api('POST', `/api/torrents/${id}/trackers`, { url: TRACKERS[100] }), {
    status: 400,
    json: { error: /^url: the torrent has no room for it/ },
  });
  t.equal((await first.api('POST', `/api/torrents/${id}/trackers`, tracker)).status, 400);
  await first.stop();

  const second = await startDaemon(state);
  t.teardown(() => second.stop());
  await checkLists(t, second);
});

/** Tags of the longest names until the torrent takes no more. */
async function tagAll(t: Test, daemon: DaemonUnderTest, infohash: string): Promise<void> {
  const statuses = new Set<number>();
  for (let n = 100; n < 120; n++) {
    const tag = { name: `${'\u2603'.repeat(97)}${n}`, color: 'c'.repeat(32) };
    const { json } = await daemon.api('POST', '/api/tags', tag);
    statuses.add((await daemon.api('POST', '/api/tags/assign', { infohash, tag_id: json['id'] })).status);
  }
  t.same([...statuses], [200, 400]);
}

async function checkLists(t: Test, daemon: DaemonUnderTest): Promise<void> {
  const admin = await daemon.torrents();
  const viewer = await listOf(daemon, 'viewer', 'correct horse');
  t.same([admin.length, viewer.length], [TORRENTS + 1, TORRENTS]);
  for (const torrent of [...admin, ...viewer]) {
    const bytes = Buffer.byteLength(JSON.stringify(torrent));
    if (bytes > MAX_TORRENT_DTO_BYTES) t.fail(`${bytes} bytes`);
    const shown = /&tr=.*/.exec(torrent.magnet)?.[0] ?? '';
    if (shown.length > MAX_MAGNET_TRACKER_CHARS) t.fail(`${shown.length} characters of trackers`);
  }
  t.ok(admin.some(({ magnet }) => magnet.includes('&tr=')));
}

async function listOf(
  daemon: DaemonUnderTest,
  username: string,
  password: string,
): Promise<readonly { magnet: string }[]> {
  const login = await fetch(`${daemon.url}/api/login`, {
    method: 'POST',
    headers: { 'content-type': 'application/json', origin: daemon.url },
    body: JSON.stringify({ username, password }),
  });
  const cookie = login.headers.get('set-cookie')?.split(';')[0] ?? '';
  return (await (await fetch(`${daemon.url}/api/torrents`, { headers: { cookie } })).json()) as { magnet: string }[];
}
