// What a whole daemon counts of a download from libtorrent, over SIGKILL, the death of its engine and the removal of the
// torrent; what each account is told of it; and the room that torrents take.
import { mkdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import t, { type Test } from 'tap';
import type { HistoryDto, TrafficDto } from '../../shared-protocol/dto/history.js';
import type { StorageDto } from '../../shared-protocol/dto/storage.js';
import { makeAccount, sameAccount } from '../support/daemon-account.js';
import { startDaemon, type ApiClient, type StartDaemonOptions } from '../support/daemon.js';
import { startHttpTracker } from '../support/http-tracker.js';
import { makeTorrent, seededBytes } from '../support/make-torrent.js';
import { libtorrent, testWith } from '../support/peers/index.js';
import { KIB, MIB } from '../support/peers/payload.js';
import { makeScratch } from '../support/peers/scratch.js';
import { waitUntil } from '../support/peers/wait-until.js';
import { evaluateInThread, INSPECTED } from '../support/thread-inspector.js';

const TIMEOUT_MS = 60_000;
const SIZE = 6 * MIB;
const DAY_S = 86_400;
/** Attributed to what works, although another one stands first. */
const DEAD_TRACKER = 'http://127.0.0.9:9/announce';

t.setTimeout(180_000);

type Api = Pick<ApiClient, 'api'>;

async function down(client: Api, query = ''): Promise<number> {
  const { status, json } = await client.api<HistoryDto>('GET', `/api/stats/history${query}`);
  return status === 200 ? json.total.down : -status;
}

async function traffic(client: Api, by: string): Promise<Record<string, number>> {
  const { json } = await client.api<TrafficDto>('GET', `/api/stats/traffic?by=${by}`);
  return Object.fromEntries(json.series.map(({ id, down: bytes }) => [id, bytes]));
}

async function scene(t: Test) {
  const scratch = await makeScratch('counted', 3 * SIZE);
  t.teardown(() => scratch.remove());
  const tracker = await startHttpTracker();
  t.teardown(() => tracker.close());
  const bytes = seededBytes(7, SIZE);
  const made = makeTorrent({
    name: 'film.bin',
    pieceLength: 64 * KIB,
    files: bytes,
    trackers: [[DEAD_TRACKER], [tracker.announceUrl]],
  });
  const source = join(scratch.path, 'source');
  await mkdir(source);
  await writeFile(join(source, 'film.bin'), bytes);
  const begin = async (options: StartDaemonOptions = {}) => {
    const where = { dataDir: join(scratch.path, 'data'), savePath: join(scratch.path, 'downloads') };
    const daemon = await startDaemon({ ...where, args: ['--fetch-allow', '127.0.0.0/8'], ...options });
    t.teardown(() => daemon.stop());
    return daemon;
  };
  return { tracker, torrent: made.torrentBytes, source, begin };
}

void testWith(t, libtorrent, 'a download is counted once, whatever ends meanwhile', async (t) => {
  const { tracker, torrent, source, begin } = await scene(t);
  const seed = await libtorrent.start({ uploadBytesPerSec: 3 * MIB });
  t.teardown(() => seed.close());
  await seed.seed(torrent, source);
  let daemon = await begin({ env: INSPECTED });
  const bob = await makeAccount(daemon, 'bob');
  const eve = await makeAccount(daemon, 'eve');
  const id = await bob.client.addTorrentFile(torrent);
  await waitUntil('an announce', TIMEOUT_MS, () => tracker.announces.length > 0 || undefined);
  await daemon.addPeers(id, seed.address);
  await daemon.waitFor(id, ({ bytes_done }) => bytes_done > MIB, TIMEOUT_MS);

  const before = await down(bob.client);
  t.ok(before > 0, 'who looks is told of what was just moved');
  await daemon.waitFor(id, ({ completed }) => completed, TIMEOUT_MS);
  const counted = await waitUntil('all of it', TIMEOUT_MS, async () => {
    const bytes = await down(bob.client);
    return bytes >= SIZE ? bytes : undefined;
  });
  t.ok(counted < 1.2 * SIZE, `${counted} of ${SIZE}`);
  const { json: room } = await daemon.api<StorageDto>('GET', '/api/storage');
  t.equal(room.volumes[0]?.recent_bytes, SIZE, 'how fast the volume fills');
  const { json: totals } = await daemon.api<HistoryDto>('GET', '/api/stats/history?resolution=5min');
  t.equal(totals.total.down, counted);
  t.equal(
    totals.points.reduce((sum, point) => sum + point.down, 0),
    counted,
  );

  await evaluateInThread(() => daemon.stderr, 'engine', 'process.exit(9)');
  const isWell = async () => (await daemon.api('GET', '/api/healthz')).status === 200;
  await waitUntil('the end of the engine', TIMEOUT_MS, async () => !(await isWell()) || undefined);
  await waitUntil('another engine', TIMEOUT_MS, async () => (await isWell()) || undefined);
  t.equal(await down(bob.client), counted, 'an engine that dies takes nothing away');

  await daemon.kill();
  daemon = await begin();
  const bobAgain = await sameAccount(daemon, 'bob', bob.id);
  const eveAgain = await sameAccount(daemon, 'eve', eve.id);
  t.equal(await down(bobAgain.client), counted, 'nothing is lost, and nothing counted twice');
  t.equal(await down(daemon), counted);
  t.equal(await down(bobAgain.client, `?by=torrent&id=${id}`), counted);
  t.match(await traffic(bobAgain.client, 'tracker'), { '127.0.0.1': Number });
  t.same(await traffic(bobAgain.client, 'category'), { '': counted });

  t.equal(await down(eveAgain.client), 0, 'what others move is not told');
  t.equal(await down(eveAgain.client, `?by=torrent&id=${id}`), -403);
  t.equal(await down(eveAgain.client, `?by=account&id=${bob.id}`), -403);
  t.equal(await down(eveAgain.client, `?account=${bob.id}`), -403);
  t.same(await traffic(eveAgain.client, 'tracker'), {});
  t.same(await traffic(eveAgain.client, 'torrent'), {});

  await bobAgain.client.api('DELETE', `/api/torrents/${id}`);
  t.equal(await down(bobAgain.client), counted, 'a removed torrent keeps its part of the totals');
  t.equal(await down(bobAgain.client, `?by=torrent&id=${id}`), -403);
  t.same(await traffic(daemon, 'account'), { [String(bob.id)]: counted });
  const tomorrow = Math.floor(Date.now() / 1_000) + DAY_S;
  t.equal(await down(daemon, `?from=${tomorrow}`), 0);
});

void t.test(
  'room: shared copies once on the volume and once for each who holds them; no paths for strangers',
  async (t) => {
    const { torrent, begin } = await scene(t);
    const daemon = await begin();
    const bob = await makeAccount(daemon, 'bob');
    const eve = await makeAccount(daemon, 'eve');
    const mallory = await makeAccount(daemon, 'mallory');
    await bob.client.addTorrentFile(torrent);
    await eve.client.addTorrentFile(torrent);
    const of = async ({ api }: Api) => (await api<StorageDto>('GET', '/api/storage')).json;
    const seen = await of({ api: daemon.api.bind(daemon) });
    const taken = { torrents: 1, bytes: 0, size: SIZE };
    t.equal(seen.volumes.length, 1);
    const [volume] = seen.volumes;
    t.match(volume, { ...taken, paths: [daemon.savePath] });
    t.equal(volume!.used_bytes! + volume!.free_bytes!, volume!.total_bytes);
    t.ok(volume!.free_bytes! > 0);
    t.match(volume, { is_default: true, recent_bytes: 0 });
    t.same(seen.accounts, [
      { id: bob.id, ...taken },
      { id: eve.id, ...taken },
    ]);
    t.same(seen.categories, [{ id: null, ...taken }]);
    const evesView = await of({ api: eve.client.api.bind(eve.client) });
    t.match(evesView, { volumes: [{ ...taken, paths: [] }], accounts: [{ id: eve.id, ...taken }] });
    t.notMatch(JSON.stringify(evesView), daemon.savePath);
    const nothing = { torrents: 0, bytes: 0, size: 0 };
    const mallorysView = await of({ api: mallory.client.api.bind(mallory.client) });
    t.same(mallorysView.accounts, [{ id: mallory.id, ...nothing }]);
    t.same(mallorysView.categories, []);
    t.match(mallorysView.volumes, [{ ...nothing, paths: [] }]);
  },
);
