// Torrents made of files of the server are those that libtorrent makes of them, read by it as they were meant, and downloaded
// by it where they are seeded at once.
import { spawnSync } from 'node:child_process';
import { mkdir, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import t from 'tap';
import { created, setScene, type CreationView } from '../support/creations.js';
import { seededBytes } from '../support/make-torrent.js';
import { libtorrent, testWith } from '../support/peers/index.js';
import { waitUntil } from '../support/peers/wait-until.js';

const TIMEOUT_MS = 60_000;
const KIB = 1024;
const MIB = 1024 * KIB;

t.setTimeout(300_000);

const WITH_LIBTORRENT = '/usr/bin/python3';

testWith(t, libtorrent, 'libtorrent makes the same torrents of the same files, and downloads them', async (t) => {
  const { daemon, files, scratch } = await setScene(t);
  const root = await files(join(daemon.savePath, 'pack'), {
    'b.bin': seededBytes(7, 3 * MIB + 17),
    'sub/x': seededBytes(8, 100),
    'sub-1': '',
    'sub.0': seededBytes(9, 70_000),
    'Zed/é': seededBytes(10, 1),
    'Zed/e': seededBytes(11, 16 * KIB),
    ｚ: 'z',
    '💾': 'disk',
  });
  await files(daemon.savePath, { 'single.iso': seededBytes(12, 2 * MIB + 3) });
  const compare = async (creation: CreationView, pads: boolean) => {
    const path = join(scratch, `${creation.id}.torrent`);
    await writeFile(path, (await daemon.download(`/api/create/${creation.id}/file`)).bytes);
    const script = join('test', 'support', 'peers', 'libtorrent_create.py');
    const { stdout, stderr } = spawnSync(WITH_LIBTORRENT, [script, path, daemon.savePath, ...(pads ? ['pads'] : [])]);
    t.equal(stderr.toString(), '');
    const told = JSON.parse(stdout.toString()) as Readonly<Record<string, unknown>>;
    t.equal(told['read'], creation.infohash);
    t.equal(told['made'], creation.infohash, `the same torrent of ${creation.path}`);
    return told;
  };
  const trackers = [['http://127.0.0.1:1/announce', 'udp://127.0.0.1:2'], ['http://127.0.0.1:3/announce']];
  const around = { comment: 'a commént', created_by: 'somebody', source: 'SRC', web_seeds: ['http://127.0.0.1:4/'] };
  const first = await created(daemon, { path: 'pack', private: true, trackers, ...around });
  t.match(await compare(first, false), {
    files: ['Zed/e', 'Zed/é', 'b.bin', 'sub/x', 'sub-1', 'sub.0', 'ｚ', '💾'].map((name) => `pack/${name}`),
    private: true,
    comment: 'a commént',
    creator: 'somebody',
    trackers: [
      [0, 'http://127.0.0.1:1/announce'],
      [0, 'udp://127.0.0.1:2'],
      [1, 'http://127.0.0.1:3/announce'],
    ],
    webSeeds: ['http://127.0.0.1:4/'],
  });
  for (const piece_length of [16 * KIB, 256 * KIB]) {
    const padded = await created(daemon, { path: root, piece_length, pad_files: true });
    t.match(padded, { piece_length, files: 8 });
    await compare(padded, true);
  }
  await compare(await created(daemon, { path: 'single.iso' }), false);

  for (const body of [
    { path: 'pack', pad_files: true, seed: true },
    { path: 'single.iso', seed: true },
  ]) {
    const seeded = await created(daemon, body);
    t.match(seeded, { state: 'done', error: null, torrent_id: seeded.infohash });
    const id = String(seeded.torrent_id);
    t.match(await daemon.torrent(id), { completed: true, verifying: false, progress: 1, save_path: daemon.savePath });
    const leech = await libtorrent.start();
    t.teardown(() => leech.close());
    const directory = join(scratch, `leech-${seeded.id}`);
    await mkdir(directory);
    await leech.leech((await daemon.download(`/api/create/${seeded.id}/file`)).bytes, directory);
    await leech.addPeer?.(daemon.peerPort);
    await waitUntil(
      'libtorrent to have all of it',
      TIMEOUT_MS,
      async () => (await leech.progress()).isSeeding || undefined,
    );
    const name = body.path === 'pack' ? 'pack/b.bin' : 'single.iso';
    t.ok((await readFile(join(directory, name))).equals(await readFile(join(daemon.savePath, name))));
  }
});
