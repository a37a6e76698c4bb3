// Odd names on disk are those that libtorrent gives: what it has downloaded is found complete where it lies. Where Windows is to
// have the names as well it is not, and what was added by one rule keeps it whatever the setting is later.
import { mkdir, readdir, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import t from 'tap';
import { startDaemon, type DaemonUnderTest } from '../support/daemon.js';
import { makeTorrent, seededBytes } from '../support/make-torrent.js';
import { libtorrent, testWith } from '../support/peers/index.js';
import { makeScratch } from '../support/peers/scratch.js';
import { waitUntil } from '../support/peers/wait-until.js';

const TIMEOUT_MS = 60_000;
const PIECE = 16_384;
const FOLDER = 'wie: «was?» "ja".';
/** As their author gave them, and as they are on disk. */
const NAMES: readonly (readonly [given: string, onDisk: string])[] = [
  ['what: "is"? <that>|*', 'what: "is"? <that>|*'],
  ['dot.', 'dot.'],
  ['trailing ', 'trailing '],
  [' leading', ' leading'],
  ['CON', 'CON'],
  ['nul.txt', 'nul.txt'],
  ['...', '...'],
  ['..', '_'],
  ['e\u0301.txt', 'e\u0301.txt'],
  ['photo\u202egpj.exe', 'photogpj.exe'],
  ['zero\u200bwidth', 'zero\u200bwidth'],
  ['line\nfeed', 'line_feed'],
  ['Readme', 'Readme'],
  ['README', 'README.1'],
  ['日'.repeat(80), '日'.repeat(80)],
];

t.setTimeout(300_000);

const made = makeTorrent({
  name: FOLDER,
  pieceLength: PIECE,
  files: NAMES.map(([given], index) => ({ path: [given], bytes: seededBytes(index + 1, 1_000) })),
});

async function namesBelow(folder: string): Promise<readonly string[]> {
  const entries = await readdir(folder, { recursive: true, withFileTypes: true });
  return entries
    .filter((entry) => entry.isFile())
    .map(({ parentPath, name }) => join(parentPath, name).slice(folder.length + 1))
    .sort();
}

async function settled(daemon: DaemonUnderTest): Promise<boolean> {
  return (await daemon.waitFor(made.infoHash, ({ verifying }) => !verifying, TIMEOUT_MS)).completed;
}

testWith(t, libtorrent, 'libtorrent and Swarmd name files alike', async (t) => {
  const scratch = await makeScratch('names');
  t.teardown(() => scratch.remove());
  const [own, theirs] = [join(scratch.path, 'own'), join(scratch.path, 'theirs')];
  for (const [index, [, onDisk]] of NAMES.entries()) {
    const path = join(own, FOLDER, onDisk);
    await mkdir(dirname(path), { recursive: true });
    await writeFile(path, seededBytes(index + 1, 1_000));
  }
  const daemon = await startDaemon({ savePath: own });
  t.teardown(() => daemon.stop());
  await daemon.addTorrentFile(made.torrentBytes);
  t.ok(await settled(daemon), 'the files are found by the names that were expected');
  t.match(await daemon.torrent(made.infoHash), { name: FOLDER, content_path: join(own, FOLDER) });

  await mkdir(theirs);
  const peer = await libtorrent.start();
  t.teardown(() => peer.close());
  await peer.leech(made.torrentBytes, theirs);
  await daemon.addPeers(made.infoHash, peer.address);
  await waitUntil('libtorrent to have it', TIMEOUT_MS, async () => (await peer.progress()).isSeeding || undefined);
  t.same(await namesBelow(theirs), await namesBelow(own), 'the same names on disk');

  const finder = await startDaemon({ savePath: theirs });
  t.teardown(() => finder.stop());
  await finder.addTorrentFile(made.torrentBytes);
  t.ok(await settled(finder), 'what libtorrent has downloaded is found');
});

void t.test('the rule is kept with the torrent', async (t) => {
  const scratch = await makeScratch('names-kept');
  t.teardown(() => scratch.remove());
  const at = { dataDir: join(scratch.path, 'data'), savePath: join(scratch.path, 'files') };
  const name = 'a: b?.bin';
  const one = (seed: number) =>
    makeTorrent({ name: `${seed} ${name}`, pieceLength: PIECE, files: seededBytes(seed, 100) });
  const [before, between, after] = [one(1), one(2), one(3)];
  const daemon = await startDaemon(at);
  await daemon.addTorrentFile(before.torrentBytes);
  await daemon.api('PUT', '/api/settings/adding', { portable_names: true });
  await daemon.addTorrentFile(between.torrentBytes);
  await daemon.stop();
  const again = await startDaemon({ ...at, args: ['--portable-names', 'off'] });
  t.teardown(() => again.stop());
  t.match((await again.api('GET', '/api/settings/adding')).json, { portable_names: false, pinned: ['portable_names'] });
  await again.addTorrentFile(after.torrentBytes);
  const form = new FormData();
  form.set('portable_names', 'true');
  form.set('file', new Blob([one(4).torrentBytes]), 'test.torrent');
  await again.api('POST', '/api/torrents/file', form);
  t.same((await again.torrents()).map((torrent) => torrent.name).sort(), [
    `1 ${name}`,
    '2 a_ b_.bin',
    `3 ${name}`,
    '4 a_ b_.bin',
  ]);
});
