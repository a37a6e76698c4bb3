// Moving out: the archive that Swarmd writes is unpacked into a profile of qBittorrent, which goes on with all of it without a check.
import { mkdir, open, rename, stat } from 'node:fs/promises';
import { join } from 'node:path';
import t, { type Test } from 'tap';
import { startDaemon, type DaemonUnderTest } from '../support/daemon.js';
import { writeLibrary, type OwnedTorrent } from '../support/import/library.js';
import { Qbittorrent, qbittorrentClient, writeQbittorrentConfig, type Listed } from '../support/import/qbittorrent.js';
import { startChild } from '../support/peers/child-process.js';
import { libtorrent, testWith } from '../support/peers/index.js';
import { PYTHON } from '../support/peers/python-session.js';
import { makeScratch } from '../support/peers/scratch.js';
import { waitUntil } from '../support/peers/wait-until.js';
import { swarmd } from '../support/swarmd-command.js';

const TIMEOUT_MS = 60_000;

async function fill(daemon: DaemonUnderTest, torrents: readonly OwnedTorrent[]): Promise<(key: string) => string> {
  for (const { made, isMagnet, wants } of torrents) {
    const id = isMagnet
      ? await daemon.addMagnet(`magnet:?xt=urn:btih:${made.infoHash}&dn=magnet.bin`)
      : await daemon.addTorrentFile(made.torrentBytes);
    if (wants === 'second file skipped')
      await daemon.api('POST', '/api/torrents/file_priorities', { infohash: id, priorities: { 1: 'skip' } });
    if (wants === 'paused') await daemon.api('POST', `/api/torrents/${id}/pause`);
  }
  for (const { made, isMagnet } of torrents)
    if (!isMagnet)
      await daemon.waitFor(made.infoHash, ({ verifying, bytes_done }) => !verifying && bytes_done > 0, TIMEOUT_MS);
  const idOf = (key: string) => String(torrents.find((torrent) => torrent.key === key)!.made.infoHash);
  const ok = async (method: string, path: string, body: object) => {
    const { status, json } = await daemon.api(method, path, body);
    if (status !== 200) throw new Error(`${path}: ${JSON.stringify(json)}`);
    return json;
  };
  const category = (await ok('POST', '/api/categories', { name: 'Films', default_save_path: '', color: '' })) as {
    id: number;
  };
  await ok('POST', '/api/torrents/category', { infohash: idOf('many'), category_id: category.id });
  await ok('POST', `/api/torrents/${idOf('renamed')}/rename`, { from: 'renamed/a.bin', to: 'renamed/other/ä a.bin' });
  await ok('PUT', `/api/torrents/${idOf('whole')}/name`, { name: 'A shown name' });
  return idOf;
}

async function unpack(archive: string, directory: string): Promise<void> {
  const child = await startChild(PYTHON, ['-m', 'zipfile', '-e', archive, directory]);
  const { code } = await child.exited;
  if (code !== 0) throw new Error(child.stderr);
}

/** A check would find it. */
async function flipByte(path: string): Promise<void> {
  const handle = await open(path, 'r+');
  const byte = Buffer.alloc(1);
  await handle.read(byte, 0, 1, 20_000);
  byte[0]! ^= 1;
  await handle.write(byte, 0, 1, 20_000);
  await handle.close();
}

async function testExport(t: Test): Promise<void> {
  const scratch = await makeScratch('export');
  t.teardown(() => scratch.remove());
  const [home, downloads, unpacked] = ['home', 'downloads', 'unpacked'].map((name) => join(scratch.path, name)) as [
    string,
    string,
    string,
  ];
  await Promise.all([mkdir(downloads), mkdir(unpacked)]);
  const torrents = await writeLibrary(downloads, true);
  const daemon = await startDaemon({ savePath: downloads });
  t.teardown(() => daemon.stop());
  const idOf = await fill(daemon, torrents);
  const before = new Map((await daemon.torrents()).map((torrent) => [torrent.id, torrent]));

  const archive = join(scratch.path, 'qBittorrent.zip');
  const args = ['export', archive, '--data-dir', daemon.dataDir];
  t.match(await swarmd(args), { code: 0, out: /^written: / });
  t.equal((await stat(archive)).mode & 0o777, 0o600, 'passkeys may be in it');
  t.match(await swarmd(args), { code: 1, err: /is there already/ });
  await daemon.stop();

  await unpack(archive, unpacked);
  const peerPort = await writeQbittorrentConfig(home);
  await mkdir(join(home, 'qBittorrent', 'data'));
  await rename(join(unpacked, 'BT_backup'), join(home, 'qBittorrent', 'data', 'BT_backup'));
  await rename(join(unpacked, 'categories.json'), join(home, 'qBittorrent', 'config', 'categories.json'));
  for (let nth = 0; nth < 12; nth++) await flipByte(join(downloads, `more ${nth}.bin`));
  const client = await Qbittorrent.start(home);
  t.teardown(() => client.stop());
  const listed = await waitUntil('all loaded', TIMEOUT_MS, async () => {
    const all = await client.list();
    const isLoaded = all.length === torrents.length && all.every(({ state }) => !/check/i.test(state));
    return isLoaded ? new Map(all.map((one) => [one.hash, one])) : undefined;
  });
  for (const torrent of torrents)
    compare(t, torrent, listed.get(torrent.made.infoHash)!, before.get(torrent.made.infoHash)!);
  t.match(listed.get(idOf('many')), { category: 'Films' });
  t.match(listed.get(idOf('whole')), { name: 'A shown name' });

  await t.test('what it took over is seeded', async (t) => {
    for (const key of ['whole', 'renamed', 'odd']) {
      const target = await makeScratch('leech');
      t.teardown(() => target.remove());
      const peer = await libtorrent.start();
      t.teardown(() => peer.close());
      await peer.leech(torrents.find((one) => one.key === key)!.made.torrentBytes, target.path);
      await peer.addPeer!(peerPort);
      await waitUntil(`${key} fetched`, TIMEOUT_MS, async () => (await peer.progress()).isSeeding || undefined);
      t.pass(key);
    }
  });
}

function compare(
  t: Test,
  { key, isMagnet, wants }: OwnedTorrent,
  shown: Listed,
  before: { readonly bytes_done: number; readonly completed: boolean; readonly paused: boolean },
): void {
  if (isMagnet) return t.match(shown.state, /meta/i, `${key}: still without metadata`) as unknown as void;
  if (wants !== 'second file skipped') t.equal(shown.completed, before.bytes_done, `${key}: as much is there, unread`);
  t.equal(/^(?:paused|stopped)/.test(shown.state), before.paused, `${key}: paused`);
  t.equal(/UP$|^uploading$/.test(shown.state), before.completed, `${key}: complete`);
}

void testWith(t, qbittorrentClient.program, 'qBittorrent goes on with what Swarmd exported', testExport);
