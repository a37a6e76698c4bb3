// Files whose names are excluded are skipped when the files are first known: in a torrent file, once a magnet's metadata
// comes, and in the share of one who joins. Who has named a file by its index gets it.
import t from 'tap';
import type { AddTorrentParams, TorrentSource } from '../../../../shared-protocol/commands/adding.js';
import { parseAccountId } from '../../../../shared-protocol/ids.js';
import { makeTorrent, seededBytes } from '../../../support/make-torrent.js';
import { Bench, PIECE } from '../session/engine-bench.js';

const [ANN, BOB] = [parseAccountId(2), parseAccountId(3)];
const PATHS = [['film.mkv'], ['Sample', 'film.mkv'], ['setup.EXE'], ['notes.nfo']];
const made = makeTorrent({
  name: 'sample of all',
  pieceLength: PIECE,
  files: PATHS.map((path, seed) => ({ path, bytes: seededBytes(seed + 1, PIECE) })),
});
const id = made.infoHash;
const file: TorrentSource = { kind: 'metainfo', bytes: made.torrentBytes };
const magnet: TorrentSource = { kind: 'magnet', uri: `magnet:?xt=urn:btih:${id}` };
const EXCLUDED = ['*.exe', 'sample*'];

async function start(): Promise<Bench> {
  const bench = new Bench();
  await bench.start();
  return bench;
}

const add = (bench: Bench, source: TorrentSource, wishes: Partial<AddTorrentParams>) =>
  bench.engine.addTorrent({ source, savePath: '/save', ownerId: ANN, paused: false, ...wishes });
const join = (bench: Bench, source: TorrentSource, wishes: Partial<AddTorrentParams>) =>
  bench.engine.joinTorrent({ source, savePath: '/save', ownerId: BOB, paused: false, ...wishes });
const prioritiesOf = async (bench: Bench, by = ANN) =>
  (await bench.engine.inspectTorrent({ id, parts: ['files'], by })).files?.map(({ priority }) => priority);

void t.test('of a torrent file, but not what is named by its index', async (t) => {
  const bench = await start();
  await add(bench, file, { excludedNames: EXCLUDED, filePriorities: { 2: 'normal', 3: 'skip' } });
  t.same(await prioritiesOf(bench), ['normal', 'skip', 'normal', 'skip']);
  t.equal(bench.statsOf(id).wantedBytes, 2 * PIECE);
  await bench.stop();
});

void t.test('of a magnet when its metadata comes, which is stored until then', async (t) => {
  const bench = await start();
  await add(bench, magnet, { excludedNames: EXCLUDED, filePriorities: { 2: 'high' } });
  t.same(bench.store.row(id)?.excludedNames, EXCLUDED);
  await join(bench, file, { excludedNames: ['*.nfo'] });
  t.same(await prioritiesOf(bench, ANN), ['normal', 'skip', 'high', 'normal']);
  t.same(await prioritiesOf(bench, BOB), ['normal', 'normal', 'normal', 'skip']);
  t.same(bench.store.row(id)?.excludedNames ?? null, null, 'they have done what they were for');
  await bench.engine.setFilePriorities({ id, priorities: { 1: 'normal' }, by: ANN });
  t.same(await prioritiesOf(bench, ANN), ['normal', 'normal', 'high', 'normal'], 'and can be chosen later');
  await bench.stop();
});

void t.test('one who joins later', async (t) => {
  const bench = await start();
  await add(bench, file, {});
  await join(bench, magnet, { excludedNames: EXCLUDED });
  t.same(await prioritiesOf(bench, ANN), ['normal', 'normal', 'normal', 'normal']);
  t.same(await prioritiesOf(bench, BOB), ['normal', 'skip', 'skip', 'normal']);
  t.equal(bench.statsOf(id).wantedBytes, 4 * PIECE, 'another wants all of it');
  await bench.stop();
});
