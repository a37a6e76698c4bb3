// Moving in from Transmission 4.1, by a state as its sources write it: partial files go on without being hashed, although their times are
// later than those recorded, and torrents come in the order of its queue.
import { mkdir, stat, utimes, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import bencode from 'bencode';
import t from 'tap';
import { startDaemon, type TorrentView } from '../support/daemon.js';
import { importAll } from '../support/import/import-scene.js';
import { seededBytes } from '../support/import/seeded-bytes.js';
import { makeTorrent } from '../support/make-torrent.js';
import { makeScratch } from '../support/peers/scratch.js';

t.setTimeout(120_000);

const BLOCK = 16_384;
const FILE = 4 * BLOCK;
const [FIRST, HALF] = [seededBytes(FILE, 1), seededBytes(FILE, 2)];
const part = makeTorrent({
  ...{ name: 'part', pieceLength: BLOCK },
  files: [
    { path: ['a'], bytes: FIRST },
    { path: ['b'], bytes: HALF },
  ],
});
const whole = makeTorrent({ name: 'whole', pieceLength: BLOCK, files: FIRST });

void t.test('Transmission 4.1', async (t) => {
  const scratch = await makeScratch('import-transmission-4');
  t.teardown(() => scratch.remove());
  const [home, half, done] = ['home', 'half', 'done'].map((name) => join(scratch.path, name)) as [
    string,
    string,
    string,
  ];
  for (const path of ['torrents', 'resume'].map((name) => join(home, name))) await mkdir(path, { recursive: true });
  await mkdir(join(half, 'part'), { recursive: true });
  await mkdir(done);
  await writeFile(join(half, 'part', 'a'), FIRST);
  await writeFile(join(half, 'part', 'b.part'), HALF.subarray(0, 2 * BLOCK));
  await writeFile(join(done, 'whole'), FIRST);
  // It was started before the second file had its last block, and recorded the time that it had then.
  const started = Math.floor(Date.now() / 1_000) - 1_000;
  await utimes(join(half, 'part', 'b.part'), started + 500, started + 500);
  const timeOf = async (path: string) => Math.floor((await stat(path)).mtimeMs / 1_000);
  const common = { 'added-date': started, paused: 1, uploaded: 3, labels: ['kept'], group: '' };
  const records = [
    {
      made: part,
      record: {
        ...{ ...common, destination: done, 'incomplete-dir': half, files: ['part/a', 'part/b'], priority: [0, 0] },
        progress: {
          ...{ blocks: Buffer.from([0b1111_1100]), pieces: Buffer.from([0]) },
          mtimes: [await timeOf(join(half, 'part', 'a')), started],
        },
      },
    },
    {
      made: whole,
      record: {
        ...{ ...common, destination: done, files: ['whole'], 'done-date': started },
        progress: { blocks: 'all', pieces: 'all', mtimes: [await timeOf(join(done, 'whole'))] },
      },
    },
  ];
  for (const { made, record } of records) {
    await writeFile(join(home, 'torrents', `${made.infoHash}.torrent`), made.torrentBytes);
    await writeFile(join(home, 'resume', `${made.infoHash}.resume`), bencode.encode(record));
  }
  const magnet = 'c'.repeat(40);
  await writeFile(join(home, 'torrents', `${magnet}.magnet`), `magnet:?xt=urn:btih:${magnet}`);
  await writeFile(join(home, 'resume', `${magnet}.resume`), bencode.encode({ ...common, destination: done }));
  const queue = [`${whole.infoHash}.torrent`, `${magnet}.magnet`, `${part.infoHash}.torrent`];
  await writeFile(join(home, 'queue.json'), JSON.stringify(queue));
  const daemon = await startDaemon();
  t.teardown(() => daemon.stop());
  const report = await importAll(daemon, { from: 'transmission', path: home });
  t.match(report, { state: 'done', imported: 2, magnets: 1, skipped: 0 });
  const torrents = (await daemon.torrents()) as readonly (TorrentView & { readonly queue_position: number })[];
  const ordered = torrents.toSorted((one, other) => one.queue_position - other.queue_position);
  t.same(
    ordered.map(({ id }) => id),
    queue.map((name) => name.slice(0, 40)),
    'in the order of the queue',
  );
  const listed = new Map(torrents.map((torrent) => [torrent.id, torrent]));
  t.match(listed.get(part.infoHash), {
    ...{ bytes_done: FILE + 2 * BLOCK, verifying: false, files_missing: false, completed: false, save_path: half },
  });
  t.match(listed.get(whole.infoHash), { completed: true, verifying: false, files_missing: false, save_path: done });
});
