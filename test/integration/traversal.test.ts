// docs/limits.md 2.1, 2.2, 2.7, 2.32: torrents whose names and whose surroundings on disk are meant to lead out of the
// save path, downloaded, checked again and deleted with their data by the real daemon. A tree of sentinels around the
// save path is the same afterwards to the last byte, link and time.
import { createHash } from 'node:crypto';
import { lstat, mkdir, readdir, readFile, readlink, rename, symlink, writeFile } from 'node:fs/promises';
import { dirname, join, relative } from 'node:path';
import t, { type Test } from 'tap';
import { startDaemon, type DaemonUnderTest } from '../support/daemon.js';
import { makeTorrent, seededBytes, type MadeTorrent } from '../support/make-torrent.js';
import { makeScratch } from '../support/peers/scratch.js';
import { seedContent, type ScriptedSeed } from '../support/peers/scripted-seed.js';
import { waitUntil } from '../support/peers/wait-until.js';

const PIECE_LENGTH = 16_384;
const FILE_BYTES = 20_000;
const TIMEOUT_MS = 30_000;

t.setTimeout(240_000);

/** What links and names aim at, beside the save path. */
const SENTINELS = ['secret', 'folder/a', 'folder/b', 'folder/sub/c', 'etc/passwd', 'save.txt', 'saved/x'];

interface Scene {
  readonly daemon: DaemonUnderTest;
  readonly world: string;
  readonly save: string;
  /** Of everything in the world but the save path. */
  outside(): Promise<Readonly<Record<string, string>>>;
}

async function setScene(t: Test): Promise<Scene> {
  const scratch = await makeScratch('traversal');
  t.teardown(() => scratch.remove());
  const world = join(scratch.path, 'world');
  const save = join(world, 'save');
  await mkdir(save, { recursive: true });
  for (const path of SENTINELS) {
    await mkdir(dirname(join(world, path)), { recursive: true });
    await writeFile(join(world, path), seededBytes(9, FILE_BYTES));
  }
  await symlink('secret', join(world, 'link'));
  const daemon = await startDaemon({ savePath: save });
  t.teardown(() => daemon.stop());
  return { daemon, world, save, outside: () => portrait(world, save) };
}

/** Kind, times, mode and content of everything below the folder, the skipped one's own entry included. */
async function portrait(folder: string, skip: string): Promise<Record<string, string>> {
  const seen: Record<string, string> = {};
  for (const entry of await readdir(folder, { recursive: true, withFileTypes: true })) {
    const path = join(entry.parentPath, entry.name);
    if (path === skip || path.startsWith(`${skip}/`)) continue;
    const { mode, mtimeMs, ctimeMs, nlink, size } = await lstat(path);
    const content = entry.isSymbolicLink()
      ? await readlink(path)
      : entry.isFile()
        ? createHash('sha256')
            .update(await readFile(path))
            .digest('hex')
        : '';
    seen[relative(folder, path)] = [mode, mtimeMs, ctimeMs, nlink, size, content].join(' ');
  }
  return seen;
}

function odd(name: string, paths: readonly (readonly string[])[]): MadeTorrent {
  const files = paths.map((path, i) => ({ path, bytes: seededBytes(i + 1, FILE_BYTES) }));
  return makeTorrent({ name, pieceLength: PIECE_LENGTH, files });
}

function seed({ daemon }: Scene, made: MadeTorrent, allowed = Infinity): Promise<ScriptedSeed> {
  const content = { bytes: made.payload, infoHash: made.infoHash, pieceLength: PIECE_LENGTH };
  return seedContent(content, daemon.peerPort, allowed);
}

async function recheck({ daemon }: Scene, id: string): Promise<void> {
  const { status } = await daemon.api('POST', `/api/torrents/${id}/recheck`);
  if (status !== 200) throw new Error(`recheck: ${status}`);
  await daemon.waitFor(id, ({ verifying }) => !verifying, TIMEOUT_MS);
}

async function remove({ daemon }: Scene, id: string): Promise<void> {
  const { status, json } = await daemon.api('DELETE', `/api/torrents/${id}?delete=1`);
  if (status !== 200) throw new Error(`delete: ${status} ${JSON.stringify(json)}`);
}

const NAMES: readonly { name: string; torrent: string; paths: readonly (readonly string[])[] }[] = [
  {
    name: 'up and out',
    torrent: '..',
    paths: [
      ['..', 'secret'],
      ['..', '..', 'etc', 'passwd'],
      ['../secret'],
      ['..\\secret'],
      ['a', '..', '..', '..', 'folder', 'a'],
    ],
  },
  { name: 'absolute', torrent: '/etc', paths: [['/etc/passwd'], ['', 'etc', 'x'], ['C:\\x'], ['//host/share']] },
  { name: 'a path for a name', torrent: '../folder', paths: [['a'], ['sub', 'c']] },
  { name: 'the save path and more', torrent: '../saved', paths: [['x'], ['../../save.txt']] },
  {
    name: 'devices, and characters that are not seen',
    torrent: 'nul',
    paths: [['CON'], ['aux.txt'], ['.\u200b.', 'secret'], ['photo\u202egpj.exe'], ['a\0b'], ['..\u202e', 'x']],
  },
  { name: 'a file and a folder of one name', torrent: 'box', paths: [['a'], ['a', 'b'], ['a'], ['A']] },
];

void t.test('names that lead out', async (t) => {
  const scene = await setScene(t);
  const before = await scene.outside();
  for (const { name, torrent, paths } of NAMES) {
    const made = odd(torrent, paths);
    const id = await scene.daemon.addTorrentFile(made.torrentBytes);
    const peer = await seed(scene, made);
    await scene.daemon.waitFor(id, ({ completed }) => completed, TIMEOUT_MS);
    const files = (await readdir(scene.save, { recursive: true, withFileTypes: true })).filter((it) => it.isFile());
    t.equal(files.length, paths.length, `${name}: every file is inside`);
    await recheck(scene, id);
    t.match(await scene.daemon.torrent(id), { completed: true, progress: 1 }, `${name}: and found there`);
    peer.destroy();
    t.strictSame(await scene.outside(), before, `${name}: nothing outside has changed`);
    await remove(scene, id);
    await waitUntil(`${name}: nothing left inside`, TIMEOUT_MS, async () =>
      (await readdir(scene.save)).length === 0 ? true : undefined,
    );
    t.strictSame(await scene.outside(), before, `${name}: nothing outside was deleted`);
  }
});

const LINKS: readonly { name: string; links: Readonly<Record<string, string>> }[] = [
  { name: 'a file', links: { 'box/sub/c': '../../../../secret' } },
  { name: 'a file, absolute', links: { 'box/a': 'WORLD/secret' } },
  { name: 'a file that is not there', links: { 'box/a': '../../../new', 'box/b': '../../../new' } },
  { name: 'a folder', links: { 'box/sub': '../../../folder/sub' } },
  { name: 'the folder of the torrent', links: { box: '../../folder' } },
  { name: 'the folder of the torrent, absolute', links: { box: 'WORLD/folder' } },
  { name: 'the root', links: { 'box/sub': '/' } },
  { name: 'a link to itself', links: { 'box/sub': 'sub', 'box/a': 'a' } },
  { name: 'a link by way of another', links: { hop: '../..', 'box/sub': '../hop/folder/sub' } },
];

void t.test('links that were planted before', async (t) => {
  const scene = await setScene(t);
  for (const [i, { name, links }] of LINKS.entries()) {
    const save = join(scene.save, String(i));
    for (const [path, target] of Object.entries(links)) {
      await mkdir(dirname(join(save, path)), { recursive: true });
      await symlink(target.replace('WORLD', scene.world), join(save, path));
    }
    const before = await scene.outside();
    // Different bytes for each, the same as the sentinels' for none: whatever was claimed or written would show.
    const made = odd('box', [['a'], ['b'], ['sub', 'c'], [String(i)]]);
    const id = await scene.daemon.addTorrentFile(made.torrentBytes, save);
    const peer = await seed(scene, made);
    await settled(scene, id, peer);
    t.notOk((await scene.daemon.torrent(id)).completed, `${name}: cannot be completed`);
    await recheck(scene, id);
    peer.destroy();
    t.strictSame(await scene.outside(), before, `${name}: nothing outside has changed`);
    await remove(scene, id);
    t.strictSame(await scene.outside(), before, `${name}: nothing outside was deleted`);
    for (const path of Object.keys(links))
      t.ok((await lstat(join(save, path))).isSymbolicLink(), `${name}: nor a link`);
  }
  const before = await scene.outside();
  t.notMatch(scene.daemon.stderr, /"level":"fatal"|bug: /);
  t.match(await scene.daemon.stop(), { code: 0 });
  t.strictSame(await scene.outside(), before, 'nor later');
});

void t.test('data outside that would fit is not claimed by way of a link', async (t) => {
  const scene = await setScene(t);
  const made = makeTorrent({ name: 'secret', pieceLength: PIECE_LENGTH, files: seededBytes(9, FILE_BYTES) });
  await symlink('../secret', join(scene.save, 'secret'));
  const before = await scene.outside();
  const id = await scene.daemon.addTorrentFile(made.torrentBytes);
  await recheck(scene, id);
  t.match(await scene.daemon.torrent(id), { completed: false, bytes_done: 0 });
  await remove(scene, id);
  t.strictSame(await scene.outside(), before);
});

void t.test('a folder that becomes a link while a download runs, and before the deletion', async (t) => {
  const scene = await setScene(t);
  const made = odd(
    'box',
    ['a', 'b', 'c', 'd'].map((name) => ['sub', name]),
  );
  const id = await scene.daemon.addTorrentFile(made.torrentBytes);
  const peer = await seed(scene, made, 1);
  const folder = join(scene.save, 'box', 'sub');
  await waitUntil('a first file', TIMEOUT_MS, async () => (await readdir(folder).catch(() => []))[0]);
  const before = await scene.outside();
  await rename(folder, join(scene.save, 'moved'));
  await symlink('../../folder', folder);
  peer.allow(Infinity);
  await settled(scene, id, peer);
  t.strictSame(await scene.outside(), before, 'nothing is written by way of it');
  await recheck(scene, id);
  t.strictSame(await scene.outside(), before, 'nor by a check');
  peer.destroy();
  await remove(scene, id);
  // Deleting goes on behind the answer; the daemon's end waits for it.
  t.match(await scene.daemon.stop(), { code: 0 });
  t.strictSame(await scene.outside(), before, 'nor deleted');
});

/** Until nothing happens for a while: there is no sign of a download that cannot go on. */
async function settled({ daemon }: Scene, id: string, peer: ScriptedSeed): Promise<void> {
  let last = '';
  let calm = 0;
  await waitUntil('calm', TIMEOUT_MS, async () => {
    const { bytes_done, verifying } = await daemon.torrent(id);
    const now = JSON.stringify([bytes_done, verifying, peer.sent, peer.isClosed]);
    calm = now === last ? calm + 1 : 0;
    last = now;
    return calm > 10 || undefined;
  });
}
