// Names of incomplete files, over a real daemon and real files: which name a file has at each moment, after kills and checks,
// and what is read, deleted and left alone by it.
import { mkdir, readFile, rename, stat, truncate, writeFile, open, link } from 'node:fs/promises';
import t, { type Test } from 'tap';
import type { DiagnosisDto } from '../../shared-protocol/dto/torrents.js';
import { ApiClient, startDaemon, type DaemonUnderTest } from '../support/daemon.js';
import {
  addShow,
  at,
  complete,
  fetchPieces,
  FILE_BYTES,
  FIRST_FILE_PIECES,
  isFile,
  madeFile,
  madeShow,
  namesIn,
  PIECE_LENGTH,
  SUFFIX,
  untilThere,
  type Show,
} from '../support/incomplete-files.js';
import { makeTorrent } from '../support/make-torrent.js';
import { TIMEOUT_MS } from '../support/moves.js';
import { waitUntil } from '../support/peers/wait-until.js';
import { temporaryDirectory } from '../support/temporary-directory.js';

t.setTimeout(300_000);

async function start(t: Test): Promise<DaemonUnderTest> {
  const daemon = await startDaemon();
  t.teardown(() => daemon.stop());
  return daemon;
}

async function homes() {
  return { dataDir: await temporaryDirectory(), savePath: await temporaryDirectory() };
}

const recheck = async (daemon: DaemonUnderTest, { infoHash }: Show) => {
  await daemon.api('POST', `/api/torrents/${infoHash}/recheck`);
  return daemon.waitFor(infoHash, ({ verifying }) => !verifying, TIMEOUT_MS);
};

async function errorOf(daemon: DaemonUnderTest, { infoHash }: Show): Promise<DiagnosisDto> {
  return waitUntil('an error', TIMEOUT_MS, async () => {
    const { json } = await daemon.api<DiagnosisDto>('GET', `/api/torrents/${infoHash}/diagnosis`);
    return json.error === null ? undefined : json;
  });
}

async function cookieOf({ url, adminPassword: password }: DaemonUnderTest): Promise<string> {
  const body = JSON.stringify({ username: 'admin', password });
  const answer = await fetch(`${url}/api/login`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body,
  });
  return answer.headers
    .getSetCookie()
    .map((cookie) => cookie.split(';')[0])
    .join('; ');
}

void t.test('each file has its own name from when it is complete', async (t) => {
  const daemon = await start(t);
  await daemon.api('PUT', '/api/settings/adding', { incomplete_suffix: SUFFIX, preallocation: 'sparse' });
  const made = madeShow('show', 1);
  const body = new FormData();
  body.set('sequential', 'true');
  body.set('file', new Blob([made.torrentBytes]), 'test.torrent');
  await daemon.api('POST', '/api/torrents/file', body);
  await fetchPieces(daemon, daemon, made, 1);
  await untilThere(at(daemon, 'show'), 'empty', 'film.part');
  t.equal((await stat(at(daemon, 'show', 'film.part'))).size, FILE_BYTES, 'it has its room');
  const cookie = await cookieOf(daemon);
  const read = async (range: string) => {
    const client = new ApiClient(daemon.url, { cookie, range }, () => daemon.stderr);
    return (await client.download(`/api/torrents/${made.infoHash}/files/0`)).bytes;
  };
  t.same(await read('bytes=0-99'), Buffer.from(made.payload.subarray(0, 100)), 'it is read by ranges');
  await fetchPieces(daemon, daemon, made, FIRST_FILE_PIECES);
  await untilThere(at(daemon, 'show'), 'empty', 'film', 'sound.part');
  t.ok(await isFile(made, 0, at(daemon, 'show', 'film')));
  t.same(await read('bytes=50000-50099'), Buffer.from(made.payload.subarray(50_000, 50_100)));
  const exported = await daemon.download(`/api/torrents/${made.infoHash}/file`);
  t.ok(exported.bytes.includes(Buffer.from(made.infoBytes)), 'what is exported is its author’s');
  await complete(daemon, daemon, made);
  await untilThere(at(daemon, 'show'), 'empty', 'film', 'sound');
  const zip = await daemon.download(`/api/torrents/${made.infoHash}/zip`);
  t.ok(zip.bytes.includes('show/sound') && !zip.bytes.includes('sound.part'), 'archives have the own names');
  t.ok(await isFile(made, 1, at(daemon, 'show', 'sound')));
  const { headers } = await daemon.download(`/api/torrents/${made.infoHash}/files/1`);
  t.match(headers.get('content-disposition'), /sound"?$/);
});

void t.test('an add may want another one, or none', async (t) => {
  const daemon = await start(t);
  await daemon.api('PUT', '/api/settings/adding', { incomplete_suffix: '.!sd' });
  const [mine, none] = [madeShow('mine', 1), madeShow('none', 3)];
  t.equal((await addShow(daemon, mine, { incomplete_suffix: '.x' })).status, 200);
  t.equal((await addShow(daemon, none, { incomplete_suffix: '' })).status, 200);
  for (const made of [mine, none]) await fetchPieces(daemon, daemon, made, 1);
  await untilThere(at(daemon, 'mine'), 'empty', 'film.x');
  await untilThere(at(daemon, 'none'), 'empty', 'film');
  for (const bad of ['part', '.', '..', './a', '.a\\b', '.a ', '.a.', '.\0', '.a\n', `.${'a'.repeat(16)}`]) {
    const refused = { status: 400, json: { error: /^incomplete_suffix: / } };
    t.match(await addShow(daemon, madeShow('bad', 5), { incomplete_suffix: bad }), refused, JSON.stringify(bad));
    t.match(await daemon.api('PUT', '/api/settings/adding', { incomplete_suffix: bad }), refused);
  }
  await daemon.api('PUT', '/api/settings/adding', { incomplete_suffix: null });
  t.match((await daemon.api('GET', '/api/settings/adding')).json, { incomplete_suffix: null });
});

void t.test('after a kill it is found by either name, or by both', async (t) => {
  const home = await homes();
  const made = madeShow('show', 11);
  let daemon = await startDaemon(home);
  await addShow(daemon, made);
  await fetchPieces(daemon, daemon, made, FIRST_FILE_PIECES + 1);
  await untilThere(at(daemon, 'show'), 'empty', 'film', 'sound.part');
  await daemon.kill();
  // As it is between the two steps of a rename, and before the first.
  await link(at(home, 'show', 'film'), at(home, 'show', 'film.part'));
  daemon = await startDaemon(home);
  await daemon.waitFor(made.infoHash, ({ verifying, bytes_done: done }) => !verifying && done > FILE_BYTES, TIMEOUT_MS);
  await untilThere(at(daemon, 'show'), 'empty', 'film', 'sound.part');
  await daemon.kill();
  await rename(at(home, 'show', 'film'), at(home, 'show', 'film.part'));
  daemon = await startDaemon(home);
  t.teardown(() => daemon.stop());
  await daemon.waitFor(made.infoHash, ({ verifying, bytes_done: done }) => !verifying && done > FILE_BYTES, TIMEOUT_MS);
  await untilThere(at(daemon, 'show'), 'empty', 'film', 'sound.part');
  await complete(daemon, daemon, made);
  await untilThere(at(daemon, 'show'), 'empty', 'film', 'sound');
  t.ok(await isFile(made, 0, at(daemon, 'show', 'film')));
  t.ok(await isFile(made, 1, at(daemon, 'show', 'sound')));
});

void t.test('where something has its name it keeps the suffix, and says so', async (t) => {
  const daemon = await start(t);
  const made = madeShow('show', 21);
  await addShow(daemon, made);
  await fetchPieces(daemon, daemon, made, 1);
  await untilThere(at(daemon, 'show'), 'empty', 'film.part');
  await writeFile(at(daemon, 'show', 'film'), 'laid here by hand');
  await complete(daemon, daemon, made);
  await untilThere(at(daemon, 'show'), 'empty', 'film', 'film.part', 'sound');
  const error = /^show\/film is complete, and keeps its suffix/;
  t.match(await errorOf(daemon, made), { error, code: 'MOVE_TARGET_TAKEN' });
  t.equal(await readFile(at(daemon, 'show', 'film'), 'utf8'), 'laid here by hand');
  t.ok(await isFile(made, 0, at(daemon, 'show', 'film.part')));
  const checked = await recheck(daemon, made);
  t.match(checked, { completed: true }, 'what is recorded counts, not what lies there');
  await rename(at(daemon, 'show', 'film'), at(daemon, 'show', 'by-hand'));
  await recheck(daemon, made);
  await untilThere(at(daemon, 'show'), 'empty', 'film', 'by-hand', 'sound');
  t.equal((await daemon.api('DELETE', `/api/torrents/${made.infoHash}?delete=1`)).status, 200);
  await untilThere(at(daemon, 'show'), 'by-hand');
});

void t.test('what lies at the names of files is used there, without a suffix', async (t) => {
  const daemon = await start(t);
  const made = madeShow('show', 31);
  await mkdir(at(daemon, 'show'));
  await writeFile(at(daemon, 'show', 'film'), made.payload.subarray(0, PIECE_LENGTH));
  await writeFile(at(daemon, 'show', 'sound.part'), made.payload.subarray(FILE_BYTES));
  await addShow(daemon, made);
  const found = await daemon.waitFor(made.infoHash, ({ verifying }) => !verifying, TIMEOUT_MS);
  t.equal(found.bytes_done, PIECE_LENGTH, 'of others’ incomplete files nothing counts');
  await complete(daemon, daemon, made);
  await untilThere(at(daemon, 'show'), 'empty', 'film', 'sound', 'sound.part');
  t.ok(await isFile(made, 1, at(daemon, 'show', 'sound')));
});

void t.test('a complete file that a check finds damaged has its suffix again', async (t) => {
  const daemon = await start(t);
  const made = madeShow('show', 41);
  await addShow(daemon, made);
  await complete(daemon, daemon, made);
  await untilThere(at(daemon, 'show'), 'empty', 'film', 'sound');
  const film = await open(at(daemon, 'show', 'film'), 'r+');
  await film.write(Buffer.from('damaged'), 0, 7, 100);
  await film.close();
  await daemon.api('POST', `/api/torrents/${made.infoHash}/pause`);
  t.match(await recheck(daemon, made), { completed: false });
  await untilThere(at(daemon, 'show'), 'empty', 'film.part', 'sound');
  await daemon.api('POST', `/api/torrents/${made.infoHash}/resume`);
  await complete(daemon, daemon, made);
  await untilThere(at(daemon, 'show'), 'empty', 'film', 'sound');
  t.ok(await isFile(made, 0, at(daemon, 'show', 'film')));
});

void t.test('one that another torrent has as well keeps its name, damaged or not', async (t) => {
  const daemon = await start(t);
  const made = madeShow('show', 51);
  const twin = twinOf(made);
  await addShow(daemon, made);
  await complete(daemon, daemon, made);
  await untilThere(at(daemon, 'show'), 'empty', 'film', 'sound');
  await addShow(daemon, twin);
  t.match(await daemon.waitFor(twin.infoHash, ({ verifying }) => !verifying, TIMEOUT_MS), { completed: true });
  await truncate(at(daemon, 'show', 'film'), 20_000);
  for (const one of [made, twin]) {
    await daemon.api('POST', `/api/torrents/${one.infoHash}/pause`);
    t.match(await recheck(daemon, one), { completed: false });
    t.same(await namesIn(at(daemon, 'show')), ['empty', 'film', 'sound']);
  }
  t.equal((await daemon.api('DELETE', `/api/torrents/${made.infoHash}?delete=1`)).status, 200);
  await daemon.api('POST', `/api/torrents/${twin.infoHash}/resume`);
  await complete(daemon, daemon, twin);
  await untilThere(at(daemon, 'show'), 'film', 'sound');
  t.ok(await isFile(made, 0, at(daemon, 'show', 'film')));
});

/** The same files under another info hash. */
function twinOf({ name, payload }: Show): Show {
  const files = [
    { path: ['film'], bytes: payload.subarray(0, FILE_BYTES) },
    { path: ['sound'], bytes: payload.subarray(FILE_BYTES) },
  ];
  return { name, ...makeTorrent({ name, pieceLength: PIECE_LENGTH, files }) };
}

void t.test(
  'unwanted files are not made, and those that become wanted have a suffix until they are complete',
  async (t) => {
    const daemon = await start(t);
    const made = madeShow('show', 61);
    await addShow(daemon, made, { file_priorities: JSON.stringify({ 0: 'skip' }) });
    await complete(daemon, daemon, made);
    await untilThere(at(daemon, 'show'), 'empty', 'sound');
    const want = { infohash: made.infoHash, priorities: { 0: 'normal' } };
    t.equal((await daemon.api('POST', '/api/torrents/file_priorities', want)).status, 200);
    await untilThere(at(daemon, 'show'), 'empty', 'film.part', 'sound');
    await complete(daemon, daemon, made);
    await untilThere(at(daemon, 'show'), 'empty', 'film', 'sound');
    t.ok(await isFile(made, 0, at(daemon, 'show', 'film')));
  },
);

void t.test('both names are deleted with the data, and nothing of others', async (t) => {
  const daemon = await start(t);
  const made = madeShow('show', 71);
  const lone = madeFile('lone', 73);
  for (const one of [made, lone]) {
    await addShow(daemon, one);
    await fetchPieces(daemon, daemon, one, 1);
  }
  await untilThere(daemon.savePath, 'lone.part', 'show', 'show/empty', 'show/film.part');
  await writeFile(at(daemon, 'show', 'sound.part'), 'another one');
  for (const { infoHash } of [made, lone]) {
    t.equal((await daemon.api('DELETE', `/api/torrents/${infoHash}?delete=1`)).status, 200);
  }
  await untilThere(daemon.savePath, 'show', 'show/sound.part');
});
