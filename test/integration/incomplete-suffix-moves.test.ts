// Incomplete files on their way: renamed, moved within and across volumes, brought home and along with a category, and laid out
// in other ways. Each keeps the name that it has, and gets its own where it is then.
import { mkdir, readdir, rm, stat, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import t, { type Test } from 'tap';
import { startDaemon } from '../support/daemon.js';
import {
  addShow,
  at,
  complete,
  fetchPieces,
  FIRST_FILE_PIECES,
  isFile,
  madeFile,
  madeShow,
  namesIn,
  SUFFIX,
  untilThere,
} from '../support/incomplete-files.js';
import { askMove, askRename, fileNamesOf, moveEnded, TIMEOUT_MS } from '../support/moves.js';
import { makeScratch } from '../support/peers/scratch.js';
import { waitUntil } from '../support/peers/wait-until.js';
import { temporaryDirectory } from '../support/temporary-directory.js';

t.setTimeout(300_000);

/** A daemon with a show of which the first file is complete and the second has begun. */
async function halfShow(t: Test, fields: Readonly<Record<string, string>> = {}) {
  const daemon = await startDaemon();
  t.teardown(() => daemon.stop());
  const made = madeShow('show', 1);
  await addShow(daemon, made, fields);
  await fetchPieces(daemon, daemon, made, FIRST_FILE_PIECES + 1);
  return { daemon, made, id: made.infoHash };
}

const HALF = ['empty', 'film', 'sound.part'];
const WHOLE = ['empty', 'film', 'sound'];

void t.test('renamed, file and folder', async (t) => {
  const { daemon, made, id } = await halfShow(t);
  await untilThere(at(daemon, 'show'), ...HALF);
  t.match(await askRename(daemon, id, 'show/sound', 'show/music'), { status: 200, json: { state: 'none' } });
  await untilThere(at(daemon, 'show'), 'empty', 'film', 'music.part');
  t.match(await askRename(daemon, id, 'show', 'box'), { status: 200, json: { state: 'none' } });
  await untilThere(daemon.savePath, 'box', 'box/empty', 'box/film', 'box/music.part');
  t.same(await fileNamesOf(daemon, id, 1), ['film']);
  await writeFile(at(daemon, 'box', 'taken.part'), 'another one');
  t.match(await askRename(daemon, id, 'box/music', 'box/taken'), { status: 409 });
  await complete(daemon, daemon, made);
  await untilThere(at(daemon, 'box'), 'empty', 'film', 'music', 'taken.part');
  t.ok(await isFile(made, 1, at(daemon, 'box', 'music')));
});

void t.test('moved on a volume and to another one', async (t) => {
  const { daemon, made, id } = await halfShow(t);
  await untilThere(at(daemon, 'show'), ...HALF);
  const elsewhere = await temporaryDirectory();
  const [here, there] = [await stat(daemon.savePath), await stat(elsewhere)];
  if (here.dev === there.dev) t.comment('there is one volume only');
  for (const to of [at(daemon, 'near'), elsewhere]) {
    t.equal((await askMove(daemon, id, { path: to })).status, 200);
    t.match(await moveEnded(daemon, id), { state: 'none', error: null });
    await untilThere(join(to, 'show'), ...HALF);
  }
  t.same(await namesIn(daemon.savePath), ['near']);
  await daemon.api('POST', `/api/torrents/${id}/recheck`);
  const checked = await daemon.waitFor(id, ({ verifying }) => !verifying, TIMEOUT_MS);
  t.ok(checked.bytes_done >= made.payload.length / 2, 'all of it came along');
  await complete(daemon, daemon, made);
  await untilThere(join(elsewhere, 'show'), ...WHOLE);
  t.ok(await isFile(made, 0, join(elsewhere, 'show', 'film')));
  t.ok(await isFile(made, 1, join(elsewhere, 'show', 'sound')));
});

void t.test('moved and killed at once, on a volume and between two', async (t) => {
  const home = { dataDir: await temporaryDirectory(), savePath: await temporaryDirectory() };
  const made = madeShow('show', 3);
  let daemon = await startDaemon(home);
  await addShow(daemon, made);
  await fetchPieces(daemon, daemon, made, FIRST_FILE_PIECES + 1);
  await untilThere(at(daemon, 'show'), ...HALF);
  const other = await makeScratch('suffix-moves');
  t.teardown(() => other.remove());
  let from = home.savePath;
  for (const to of [await temporaryDirectory(), join(other.path, 'there')]) {
    t.equal((await askMove(daemon, made.infoHash, { path: to })).status, 200);
    await daemon.kill();
    daemon = await startDaemon(home);
    t.match(await moveEnded(daemon, made.infoHash), { state: 'none', error: null });
    await untilThere(join(to, 'show'), ...HALF);
    t.same(await namesIn(from), [], 'nothing is left');
    from = to;
  }
  t.teardown(() => daemon.stop());
  await complete(daemon, daemon, made);
  await untilThere(join(from, 'show'), ...WHOLE);
  t.ok(await isFile(made, 0, join(from, 'show', 'film')));
});

void t.test('a move takes the place of neither name', async (t) => {
  const { daemon, made, id } = await halfShow(t);
  const to = await temporaryDirectory();
  await mkdir(join(to, 'show'));
  for (const name of ['sound', 'sound.part', 'film.part']) {
    await writeFile(join(to, 'show', name), 'another one');
    const asked = await askMove(daemon, id, { path: to });
    if (asked.status === 200) t.match(await moveEnded(daemon, id), { state: 'failed', code: 'MOVE_TARGET_TAKEN' });
    else t.match(asked, { status: 409 });
    await untilThere(at(daemon, 'show'), ...HALF);
    await rm(join(to, 'show', name));
  }
  await complete(daemon, daemon, made);
  await untilThere(at(daemon, 'show'), ...WHOLE);
});

void t.test('brought home once all have their names', async (t) => {
  const incomplete = await temporaryDirectory();
  const { daemon, made, id } = await halfShow(t, { incomplete_path: incomplete });
  await untilThere(join(incomplete, 'show'), ...HALF);
  await complete(daemon, daemon, made);
  await daemon.waitFor(id, ({ save_path }) => save_path === daemon.savePath, TIMEOUT_MS);
  await moveEnded(daemon, id);
  await untilThere(at(daemon, 'show'), ...WHOLE);
  t.same(await readdir(incomplete), []);
  t.ok(await isFile(made, 1, at(daemon, 'show', 'sound')));
});

void t.test('taken along by a category', async (t) => {
  const { daemon, made, id } = await halfShow(t);
  const shelf = at(daemon, 'shelf');
  const category = { name: 'shows', color: '', default_save_path: shelf, auto_move: true };
  const { json } = await daemon.api<{ id: number }>('POST', '/api/categories', category);
  const into = { infohash: id, category_id: json.id };
  t.equal((await daemon.api('POST', '/api/torrents/category', into)).status, 200);
  await daemon.waitFor(id, ({ save_path }) => save_path === shelf, TIMEOUT_MS);
  await moveEnded(daemon, id);
  await untilThere(join(shelf, 'show'), ...HALF);
  await complete(daemon, daemon, made);
  await untilThere(join(shelf, 'show'), ...WHOLE);
});

void t.test('without a folder, and with one of its own', async (t) => {
  const { daemon, made } = await halfShow(t, { content_layout: 'no_subfolder' });
  await untilThere(daemon.savePath, ...HALF);
  const lone = madeFile('lone.mkv', 5);
  await addShow(daemon, lone, { content_layout: 'subfolder' });
  await fetchPieces(daemon, daemon, lone, 1);
  await untilThere(daemon.savePath, ...HALF, 'lone', 'lone/lone.mkv.part');
  for (const one of [made, lone]) await complete(daemon, daemon, one);
  await untilThere(daemon.savePath, ...WHOLE, 'lone', 'lone/lone.mkv');
});

void t.test('a name with no room for the suffix goes without', async (t) => {
  const daemon = await startDaemon();
  t.teardown(() => daemon.stop());
  const suffix = '.incomplete-file';
  const [long, fitting] = [madeFile('n'.repeat(240), 7), madeFile('m'.repeat(239), 9)];
  for (const made of [long, fitting]) {
    await addShow(daemon, made, { incomplete_suffix: suffix });
    await fetchPieces(daemon, daemon, made, 1);
  }
  await untilThere(daemon.savePath, long.name, fitting.name + suffix);
  for (const made of [long, fitting]) await complete(daemon, daemon, made);
  await untilThere(daemon.savePath, long.name, fitting.name);
});

void t.test('what comes by a feed’s or a folder’s way has the suffix of the setting', async (t) => {
  const daemon = await startDaemon();
  t.teardown(() => daemon.stop());
  await daemon.api('PUT', '/api/settings/adding', { incomplete_suffix: SUFFIX });
  const folder = await temporaryDirectory();
  const made = madeFile('watched', 11);
  await writeFile(join(folder, 'watched.torrent'), made.torrentBytes);
  const watched = { path: folder, delete_after_add: false, enabled: true };
  t.equal((await daemon.api('PUT', '/api/settings/watch_folder', watched)).status, 200);
  await waitUntil('it to be added', TIMEOUT_MS, async () =>
    (await daemon.torrents()).some(({ id }) => id === made.infoHash) ? true : undefined,
  );
  await fetchPieces(daemon, daemon, made, 1);
  await untilThere(daemon.savePath, 'watched.part');
});
