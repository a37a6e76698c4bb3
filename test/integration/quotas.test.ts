// Bounds of an account, over the API of a whole daemon: refused at once with what is used and allowed, shown where it is only
// found out later, and of no concern to others who hold the same torrent. The magnet's metadata come from libtorrent.
import { mkdir, writeFile } from 'node:fs/promises';
import { basename, join } from 'node:path';
import t, { type Test } from 'tap';
import type { NewUser, QuotaUsageDto } from '../../shared-protocol/dto/accounts.js';
import { makeAccount, type AccountUnderTest } from '../support/daemon-account.js';
import { startDaemon, type DaemonUnderTest } from '../support/daemon.js';
import { makeTorrent, seededBytes } from '../support/make-torrent.js';
import { libtorrent, testWith } from '../support/peers/index.js';
import { KIB, MIB } from '../support/peers/payload.js';
import { makeScratch } from '../support/peers/scratch.js';
import { waitUntil } from '../support/peers/wait-until.js';

const TIMEOUT_MS = 60_000;
const SIZE = 2 * MIB;

t.setTimeout(180_000);

async function start(t: Test): Promise<DaemonUnderTest> {
  const daemon = await startDaemon({ bytes: 2 * SIZE });
  t.teardown(() => daemon.stop());
  return daemon;
}

const film = (name: string, size = SIZE, seed = 1) =>
  makeTorrent({ name, pieceLength: 64 * KIB, files: seededBytes(seed, size) });

/** By the administrator; what is not named stays. */
async function setQuota(daemon: DaemonUnderTest, { id }: AccountUnderTest, quota: NonNullable<NewUser['quota']>) {
  const { status, json } = await daemon.api('PUT', `/api/users/${id}`, { quota });
  if (status !== 200) throw new Error(`no quota: ${status} ${JSON.stringify(json)}`);
}

function addFile({ client }: AccountUnderTest, bytes: Uint8Array) {
  const form = new FormData();
  form.set('file', new Blob([bytes]), 'a.torrent');
  return client.api<{ error?: string; code?: string; id?: string }>('POST', '/api/torrents/file', form);
}

void t.test('room on disk: each who holds a torrent counts it, and nobody else', async (t) => {
  const daemon = await start(t);
  const bob = await makeAccount(daemon, 'bob', { quota: { bytes: 3 * SIZE } });
  const eve = await makeAccount(daemon, 'eve');
  const [one, two] = [film('one'), film('two', SIZE, 2)];
  await eve.client.addTorrentFile(one.torrentBytes);
  await bob.client.addTorrentFile(one.torrentBytes);
  await bob.client.addTorrentFile(two.torrentBytes);
  t.match(await addFile(bob, film('three', SIZE + 1, 3).torrentBytes), {
    status: 400,
    json: {
      error: 'torrent: your account uses 4.19 MB of 6.29 MB, and this takes 2.10 MB; remove some first',
      code: 'QUOTA_EXCEEDED',
    },
  });
  t.match(await addFile(bob, one.torrentBytes), { status: 200 }, 'what it has already is no more');
  await eve.client.addTorrentFile(film('three', SIZE + 1, 3).torrentBytes);
  t.match(await addFile(bob, film('three', SIZE + 1, 3).torrentBytes), { status: 400 }, 'nor is it to join another');
  const quota = { bytes: 3 * SIZE, torrents: 0, active: 0, down_kbps: 0, up_kbps: 0, up_bytes_month: 0 };
  t.match((await bob.client.api<QuotaUsageDto>('GET', '/api/quota')).json, {
    quota,
    used: { bytes: 2 * SIZE, torrents: 2, active: 2 },
  });
  t.match((await daemon.api('GET', `/api/quota?account=${eve.id}`)).json, { used: { bytes: 2 * SIZE + 1 } });
  t.equal((await eve.client.api('GET', `/api/quota?account=${bob.id}`)).status, 403);
  t.equal((await eve.client.api('PUT', `/api/users/${eve.id}`, { quota: { bytes: 0 } })).status, 403);
  t.match((await bob.client.api('GET', '/api/me')).json, { quota });
  await setQuota(daemon, bob, { torrents: 2 });
  t.match((await bob.client.api('GET', '/api/me')).json, { quota: { ...quota, torrents: 2 } }, 'one by one');
  t.match(await addFile(bob, film('small', 1, 4).torrentBytes), {
    status: 400,
    json: { error: 'torrent: your account has 2 of 2 torrents; remove some first', code: 'QUOTA_EXCEEDED' },
  });
  for (const wrong of [{ bytes: -1 }, { active: 1.5 }, { torrents: '9' }]) {
    t.equal((await daemon.api('PUT', `/api/users/${bob.id}`, { quota: wrong })).status, 400, JSON.stringify(wrong));
  }
});

void t.test('running: an add waits, a resume is refused, and what waits begins by itself', async (t) => {
  const daemon = await start(t);
  const bob = await makeAccount(daemon, 'bob', { quota: { active: 1 } });
  const first = await bob.client.addTorrentFile(film('one').torrentBytes);
  const second = await bob.client.addTorrentFile(film('two', SIZE, 2).torrentBytes);
  const paused = async (id: string) => (await daemon.torrent(id)).paused;
  t.same([await paused(first), await paused(second)], [false, true]);
  t.match((await bob.client.api('GET', `/api/torrents/${second}/diagnosis`)).json, { code: 'QUOTA_EXCEEDED' });
  t.match(await bob.client.api('POST', `/api/torrents/${second}/resume`), {
    status: 400,
    json: { error: 'torrent: your account runs 1 of 1 torrents; pause one first', code: 'QUOTA_EXCEEDED' },
  });
  const batch = { ids: [first, second], action: 'resume' };
  t.match((await bob.client.api('POST', '/api/torrents/batch', batch)).json, {
    outcomes: [
      { id: first, ok: true },
      { id: second, ok: false, status: 400 },
    ],
  });
  await bob.client.api('POST', `/api/torrents/${first}/pause`);
  await daemon.waitFor(second, (torrent) => !torrent.paused, TIMEOUT_MS);
  t.ok(await paused(first), 'what a person has paused stays paused');
  t.match((await bob.client.api('GET', `/api/torrents/${second}/diagnosis`)).json, { code: null });
});

void testWith(t, libtorrent, 'a magnet that turns out too large is paused, until there is room', async (t) => {
  const scratch = await makeScratch('quotas', SIZE);
  t.teardown(() => scratch.remove());
  const made = film('film.bin');
  const source = join(scratch.path, 'source');
  await mkdir(source);
  await writeFile(join(source, 'film.bin'), seededBytes(1, SIZE));
  const seed = await libtorrent.start({ uploadBytesPerSec: 256 * KIB });
  t.teardown(() => seed.close());
  await seed.seed(made.torrentBytes, source);

  const daemon = await start(t);
  const bob = await makeAccount(daemon, 'bob', { quota: { bytes: SIZE - 1 } });
  const id = await bob.client.addMagnet(`magnet:?xt=urn:btih:${made.infoHash}`);
  await daemon.addPeers(id, seed.address);
  const held = await daemon.waitFor(id, ({ paused }) => paused, TIMEOUT_MS);
  t.ok(held.bytes_done < SIZE);
  await waitUntil('why', TIMEOUT_MS, async () => {
    const { json } = await bob.client.api<{ code: string | null }>('GET', `/api/torrents/${id}/diagnosis`);
    return json.code === 'QUOTA_EXCEEDED' || undefined;
  });
  t.match(await bob.client.api('POST', `/api/torrents/${id}/resume`), {
    status: 400,
    json: { error: 'torrent: your account uses 2.10 MB of 2.10 MB; remove some first', code: 'QUOTA_EXCEEDED' },
  });
  await setQuota(daemon, bob, { bytes: SIZE });
  await daemon.waitFor(id, ({ paused }) => !paused, TIMEOUT_MS);
  await daemon.addPeers(id, seed.address);
  await daemon.waitFor(id, ({ completed }) => completed, TIMEOUT_MS);
});

void testWith(t, libtorrent, 'speed: all torrents of an account together, those of others as before', async (t) => {
  const scratch = await makeScratch('speeds', 3 * SIZE);
  t.teardown(() => scratch.remove());
  const daemon = await start(t);
  const bob = await makeAccount(daemon, 'bob');
  const limit = 128 * KIB;
  await setQuota(daemon, bob, { down_kbps: limit / KIB });
  const began = performance.now();
  const ids: string[] = [];
  for (const seed of [5, 6, 7]) {
    const made = film(`film-${seed}`, SIZE, seed);
    const source = join(scratch.path, `source-${seed}`);
    await mkdir(source);
    await writeFile(join(source, `film-${seed}`), seededBytes(seed, SIZE));
    const peer = await libtorrent.start({});
    t.teardown(() => peer.close());
    await peer.seed(made.torrentBytes, source);
    // The last one is the administrator's.
    const id = await (ids.length < 2 ? bob.client : daemon).addTorrentFile(made.torrentBytes);
    await daemon.addPeers(id, peer.address);
    ids.push(id);
  }
  await daemon.waitFor(ids[2]!, ({ completed }) => completed, TIMEOUT_MS);
  await daemon.waitFor(ids[0]!, ({ bytes_done }) => bytes_done >= limit, TIMEOUT_MS);
  await daemon.waitFor(ids[1]!, ({ bytes_done }) => bytes_done >= limit, TIMEOUT_MS);
  const [one, two] = [await daemon.torrent(ids[0]!), await daemon.torrent(ids[1]!)];
  const seconds = (performance.now() - began) / 1_000;
  const together = one.bytes_done + two.bytes_done;
  t.ok(together <= limit * (seconds + 1), `${together} bytes in ${seconds} s`);
  await setQuota(daemon, bob, { down_kbps: 0 });
  for (const id of ids) await daemon.waitFor(id, ({ completed }) => completed, TIMEOUT_MS);
});

void testWith(
  t,
  libtorrent,
  'uploads of a month: nothing more goes out, nothing is added, and others go on',
  async (t) => {
    const scratch = await makeScratch('uploads', 3 * SIZE);
    t.teardown(() => scratch.remove());
    const daemon = await start(t);
    // Where files are that lie there already: other folders' are not an account's to seed.
    const home = join(daemon.savePath, 'bob');
    await mkdir(home);
    const bob = await makeAccount(daemon, 'bob', { home });
    const leech = await libtorrent.start({});
    t.teardown(() => leech.close());
    /** A torrent that is all there, and a leecher of it that is told where to find it. */
    const seeded = async (client: Pick<DaemonUnderTest, 'addTorrentFile'>, path: string, seed: number) => {
      const name = basename(path);
      await writeFile(path, seededBytes(seed, SIZE));
      const { torrentBytes } = film(name, SIZE, seed);
      const id = await client.addTorrentFile(torrentBytes);
      await daemon.waitFor(id, ({ completed }) => completed, TIMEOUT_MS);
      await leech.leech(torrentBytes, join(scratch.path, name));
      return id;
    };
    const used = async () => (await bob.client.api<QuotaUsageDto>('GET', '/api/quota')).json.used.up_bytes_month;

    const first = await seeded(bob.client, join(home, 'first'), 8);
    await daemon.addPeers(first, leech.address);
    await waitUntil('counted', TIMEOUT_MS, async () => ((await used()) >= SIZE ? true : undefined));
    await setQuota(daemon, bob, { up_bytes_month: SIZE });
    t.match((await bob.client.api('GET', '/api/quota')).json, {
      quota: { up_bytes_month: SIZE },
      used: { up_bytes_month: SIZE },
    });
    const { status, json } = await addFile(bob, film('more', SIZE, 9).torrentBytes);
    t.equal(status, 400);
    t.match(json, { code: 'QUOTA_EXCEEDED' });
    t.match(
      json.error,
      /^torrent: your account has uploaded the 2\.10 MB that it may in a month; it may add again from \d{4}-\d\d-01$/,
    );
    t.match((await bob.client.api('GET', '/api/notices')).json, { notices: [{ kind: 'upload_used_up' }] });

    await setQuota(daemon, bob, { up_bytes_month: 0 });
    const second = await seeded(bob.client, join(home, 'second'), 10);
    const theirs = await seeded(daemon, join(daemon.savePath, 'theirs'), 11);
    await setQuota(daemon, bob, { up_bytes_month: SIZE });
    for (const id of [second, theirs]) await daemon.addPeers(id, leech.address);
    await daemon.waitFor(theirs, ({ total_up }) => total_up >= SIZE, TIMEOUT_MS);
    t.equal((await daemon.torrent(second)).total_up, 0, 'while another account has sent all of it');
    await setQuota(daemon, bob, { up_bytes_month: 10 * SIZE });
    await daemon.waitFor(second, ({ total_up }) => total_up >= SIZE, TIMEOUT_MS);
  },
);
