// A state directory on a disk that is full under a real daemon (docs/limits.md 2.28, 2.29): what was acknowledged stays
// as it is, what cannot be stored is refused with a reason and changes nothing, and once there is room all goes on.
import t from 'tap';
import { cp, mkdir, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { startDaemon, type DaemonUnderTest, type Reply } from '../support/daemon.js';
import { KIB, MIB, writePayload } from '../support/peers/payload.js';
import { makeScratch } from '../support/peers/scratch.js';
import { seenBy, volumesUnavailable, withVolumes } from '../support/volumes.js';

const REFUSED = { status: 500, json: { error: 'storage failure: disk full' } };

t.setTimeout(120_000);

void t.test('full, and then not', { skip: volumesUnavailable() }, async (t) => {
  const scratch = await makeScratch('state-full', 64 * MIB);
  t.teardown(() => scratch.remove());
  const dataDir = join(scratch.path, 'state');
  await mkdir(dataDir);
  const payload = await writePayload(join(scratch.path, 'source'), MIB, 16 * KIB);
  const daemon = await startDaemon({ dataDir, launcher: withVolumes({ path: dataDir, sizeMib: 16 }) });
  t.teardown(() => daemon.stop());
  const id = await daemon.addTorrentFile(payload.torrent());
  t.match(await changes(daemon, 'before'), [{ status: 200 }, { status: 200 }, { status: 200 }]);
  const before = await shown(daemon);

  const ballast = join(seenBy(daemon.pid, dataDir), 'ballast');
  await writeFile(ballast, Buffer.alloc(32 * MIB)).catch(() => undefined);
  for (const name of ['refused', 'refused again']) {
    t.match(await changes(daemon, name), [REFUSED, REFUSED, { status: 400, json: { error: /disk full/ } }]);
  }
  t.same(await shown(daemon), before, 'nothing has changed');
  t.equal((await daemon.api('GET', '/api/healthz')).status, 200, 'the engine is there still');

  await t.test('another daemon on what is on the disk now', async (t) => {
    const copy = join(scratch.path, 'copy');
    const files = seenBy(daemon.pid, dataDir);
    await cp(files, copy, { recursive: true, filter: (path) => !/ballast|lock$/.test(path) });
    const reader = await startDaemon({ dataDir: copy, savePath: daemon.savePath });
    t.teardown(() => reader.stop());
    t.same(await shown(reader), before);
  });

  await rm(ballast);
  t.match(await changes(daemon, 'after'), [{ status: 200 }, { status: 200 }, { status: 200 }]);
  t.match(await daemon.api('POST', `/api/torrents/${id}/pause`), { status: 200 });
  const { categories, limits, torrents } = await shown(daemon);
  t.equal(categories.length, 2);
  t.match(limits, { up_kbps: 'after'.length });
  t.equal(torrents.length, 3);
});

/** One in each kind of state file. LMDB's has free pages: what it can put there it may well take. */
async function changes(daemon: DaemonUnderTest, name: string): Promise<readonly Reply[]> {
  const limits = { down_kbps: 0, up_kbps: name.length, alt_down_kbps: 0, alt_up_kbps: 0, alt_active: false };
  const infoHash = Buffer.from(name).toString('hex').padEnd(40, '0').slice(0, 40);
  const trackers = Array.from({ length: 25 }, (_, i) => `&tr=http%3A%2F%2F127.0.0.1%3A1%2F${i}${'x'.repeat(2_000)}`);
  return [
    await daemon.api('POST', '/api/categories', { name, color: '#123456', default_save_path: '' }),
    await daemon.api('PUT', '/api/settings/limits', limits),
    await daemon.api('POST', '/api/torrents/magnet', { magnet: `magnet:?xt=urn:btih:${infoHash}${trackers.join('')}` }),
  ];
}

async function shown(daemon: DaemonUnderTest) {
  const get = async <Body>(path: string): Promise<Body> => (await daemon.api<Body>('GET', path)).json;
  const torrents = (await daemon.torrents()).map(({ id, name, paused }) => ({ id, name, paused }));
  return {
    categories: await get<readonly unknown[]>('/api/categories'),
    limits: await get<unknown>('/api/settings/limits'),
    torrents,
  };
}
