// The daemon is killed while it takes over the torrents of another program, again and again, and each time the import is begun anew:
// what was reported as taken over is there after the kill, and in the end each torrent is there once, with its totals and labels.
import { mkdir, readdir } from 'node:fs/promises';
import { join } from 'node:path';
import sqlite from 'node-sqlite3-wasm';
import t, { type Test } from 'tap';
import type { ImportDto, ImportReportDto } from '../../shared-protocol/dto/imports.js';
import type { TorrentDto } from '../../shared-protocol/dto/torrents.js';
import { startDaemon, type DaemonUnderTest } from '../support/daemon.js';
import { importAll } from '../support/import/import-scene.js';
import { writeManyTorrents, type ShownOfMany } from '../support/import/many-torrents.js';
import { makeScratch } from '../support/peers/scratch.js';
import { waitUntil } from '../support/peers/wait-until.js';
import { SeededRandom } from '../support/seeded-random.js';

const MIB = 1024 * 1024;
const KILLS = 10;
const TORRENTS = 400;
/** Several kills come before the first torrent of their import, others in the midst of a batch. */
const LEAST_HALFWAY = 2;

t.setTimeout(300_000);

void t.test(`${KILLS} kills during an import`, async (t) => {
  const random = new SeededRandom(Date.now() % 2 ** 32);
  t.comment(`seed ${random.seed}`);
  const scratch = await makeScratch('import-kills');
  t.teardown(() => scratch.remove());
  const [home, dataDir, savePath] = ['home', 'data', 'downloads'].map((name) => join(scratch.path, name)) as [
    string,
    string,
    string,
  ];
  await mkdir(savePath);
  const { shown: wanted, files } = await writeManyTorrents(home, savePath, TORRENTS);
  const body = { from: 'qbittorrent', path: home };
  const reported = new Set<string>();
  let halfway = 0;
  for (let kill = 0; kill < KILLS; kill++) {
    const daemon = await startDaemon({ dataDir, savePath });
    t.teardown(() => daemon.kill());
    const there = new Set((await daemon.torrents()).map(({ id }) => id));
    t.same(
      [...reported].filter((id) => !there.has(id)),
      [],
      `nothing is lost by kill ${kill}`,
    );
    const most = Math.ceil((2 * (TORRENTS - there.size)) / (KILLS + 1 - kill));
    const state = await killWithin(daemon, body, random.below(most), reported);
    if (state === 'running') halfway++;
  }
  t.comment(`${reported.size} reported, ${halfway} kills halfway`);
  t.ok(halfway >= LEAST_HALFWAY, 'imports were cut off');
  const last = await startDaemon({ dataDir, savePath });
  t.teardown(() => last.kill());
  const report = await importAll(last, body);
  t.match(report, { state: 'done', total: TORRENTS, skipped: 0 });
  t.same(await listed(t, last), Object.fromEntries(wanted));
  await last.stop();

  const again = await startDaemon({ dataDir, savePath });
  t.teardown(() => again.stop());
  t.match(await importAll(again, body), { existed: TORRENTS, imported: 0, magnets: 0 }, 'another time adds nothing');
  t.same(await listed(t, again), Object.fromEntries(wanted), 'it stays so');
  t.same((await readdir(savePath)).sort(), [...files].sort(), 'no file is there twice');
  for (const [labels, count] of [
    ['categories', 3],
    ['tags', 5],
  ] as const)
    t.equal((await again.api<readonly object[]>('GET', `/api/${labels}`)).json.length, count, `${labels}, each once`);
});

void t.test('a kill while a database is read leaves no copy of it behind', async (t) => {
  const scratch = await makeScratch('import-kills-database', 256 * MIB);
  t.teardown(() => scratch.remove());
  const [home, dataDir, temporary] = ['home', 'data', 'temporary'].map((name) => join(scratch.path, name)) as [
    string,
    string,
    string,
  ];
  for (const folder of [home, temporary]) await mkdir(folder);
  const database = new sqlite.Database(join(home, 'torrents.db'));
  database.exec('CREATE TABLE torrents (torrent_id TEXT, libtorrent_resume_data BLOB)');
  for (let n = 0; n < 64; n++) {
    database.run('INSERT INTO torrents VALUES (?, ?)', [n.toString(16).padStart(40, '0'), Buffer.alloc(MIB)]);
  }
  database.close();
  const options = { dataDir, env: { TMPDIR: temporary } };
  const copies = async () => {
    const names = await Promise.all([dataDir, temporary].map((folder) => readdir(folder, { recursive: true })));
    return names.flat().filter((path) => path.endsWith('torrents.db'));
  };
  const killed = await startDaemon(options);
  t.teardown(() => killed.kill());
  const asked = killed.api('POST', '/api/import', { from: 'qbittorrent', path: home }).catch(() => undefined);
  await waitUntil('a copy', 30_000, async () => (await copies()).length > 0 || undefined);
  await killed.kill();
  await asked;
  t.equal((await copies()).length, 1);
  const next = await startDaemon(options);
  t.teardown(() => next.stop());
  t.same(await copies(), []);
});

/** Kills the daemon as soon as so many more are reported, or it has ended; in which state the import was seen last. */
async function killWithin(
  daemon: DaemonUnderTest,
  body: object,
  count: number,
  reported: Set<string>,
): Promise<ImportDto['state']> {
  const { json: begun } = await daemon.api<ImportDto>('POST', '/api/import', body);
  let { state } = begun;
  let offset = 0;
  for (let added = 0; state === 'running' && added < count;) {
    const { json } = await daemon.api<ImportReportDto>('GET', `/api/import/${begun.id}?offset=${offset}`);
    state = json.state;
    offset += json.torrents.length;
    for (const { result, infohash } of json.torrents) {
      if (infohash !== null) reported.add(infohash);
      if (result !== 'exists') added++;
    }
  }
  await daemon.kill();
  return state;
}

/** What is compared, by info hash; the list must have no torrent twice. */
async function listed(t: Test, daemon: DaemonUnderTest): Promise<Readonly<Record<string, ShownOfMany>>> {
  const { json: categories } = await daemon.api<readonly { id: number; name: string }[]>('GET', '/api/categories');
  const { json: torrents } = await daemon.api<readonly TorrentDto[]>('GET', '/api/torrents');
  t.equal(new Set(torrents.map(({ id }) => id)).size, torrents.length, 'each once');
  const fields = torrents.map(({ id, name, total_up, total_down, added_at, bytes_done, paused, ...rest }) => {
    const category = categories.find((known) => known.id === rest.category_id)?.name ?? '';
    const tags = rest.tags.map((tag) => tag.name);
    return [id, { name, total_up, total_down, added_at, bytes_done, paused, category, tags }] as const;
  });
  return Object.fromEntries(fields);
}
