// Folders of torrents as archives, from a whole daemon: other programs read them, a download that was cut off goes on
// anywhere, and nothing is sent that is not there.
import { execFile } from 'node:child_process';
import { createHash } from 'node:crypto';
import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { promisify } from 'node:util';
import t, { type Test } from 'tap';
import { startDaemon, type DaemonUnderTest } from '../support/daemon.js';
import { makeAccount } from '../support/daemon-account.js';
import { KIB, MIB, writeFiles, type Payload } from '../support/peers/payload.js';
import { connectSeed } from '../support/peers/scripted-seed.js';
import { makeScratch } from '../support/peers/scratch.js';
import { waitUntil } from '../support/peers/wait-until.js';
import { linkTo } from '../support/zip-link.js';

const run = promisify(execFile);
const TIMEOUT_MS = 60_000;
const PIECE_LENGTH = 64 * KIB;
const FILES = [
  ['notes.txt', 100_001],
  ['empty', 0],
  ['disc 1/größe.flac', 700_003],
  ['disc 1/b.flac', 1],
  ['disc 2/c.flac', 2 * MIB],
] as const;
const TOTAL = FILES.reduce((sum, [, length]) => sum + length, 0);

t.setTimeout(300_000);

async function prepare(t: Test, seed: number) {
  const scratch = await makeScratch('zip', 8 * TOTAL);
  t.teardown(() => scratch.remove());
  const name = `payload-${seed}`;
  const payload = await writeFiles({ directory: scratch.path, name, seed, pieceLength: PIECE_LENGTH, files: FILES });
  const places = { dataDir: join(scratch.path, 'data'), savePath: join(scratch.path, 'downloads') };
  const daemon = await startDaemon(places);
  t.teardown(() => daemon.stop());
  return { payload, daemon, scratch: scratch.path };
}

async function complete(payload: Payload, daemon: DaemonUnderTest): Promise<string> {
  const id = await daemon.addTorrentFile(payload.torrent());
  const seed = await connectSeed(payload, daemon.peerPort, Infinity);
  await daemon.waitFor(id, ({ completed }) => completed, TIMEOUT_MS);
  seed.destroy();
  return id;
}

const zipOf = (id: string, folder?: string): string =>
  `/api/torrents/${id}/zip${folder === undefined ? '' : `?folder=${encodeURIComponent(folder)}`}`;

const LIST = `
import hashlib, json, sys, zipfile
archive = zipfile.ZipFile(sys.argv[1])
assert archive.testzip() is None
print(json.dumps({i.filename: hashlib.sha256(archive.read(i)).hexdigest() for i in archive.infolist()}))
`;

void t.test('python and unzip read it; a folder of it; curl goes on where it was cut off', async (t) => {
  const { payload, daemon, scratch } = await prepare(t, 1);
  const id = await complete(payload, daemon);
  const { status, headers, bytes: whole } = await daemon.download(zipOf(id));
  t.equal(status, 200);
  t.match(
    ['content-type', 'content-disposition', 'accept-ranges', 'content-length'].map((name) => headers.get(name)),
    ['application/zip', `attachment; filename="${payload.name}.zip"`, 'bytes', String(whole.length)],
  );
  const path = join(scratch, 'whole.zip');
  await writeFile(path, whole);
  const { stdout } = await run('python3', ['-c', LIST, path]);
  t.same(
    JSON.parse(stdout),
    Object.fromEntries(Object.entries(payload.digests).map(([name, digest]) => [`${payload.name}/${name}`, digest])),
  );
  const tested = await run('unzip', ['-t', path]).catch((error: NodeJS.ErrnoException) => error);
  if ('code' in tested && tested.code === 'ENOENT') t.comment('unzip is missing: apt-get install unzip');
  else t.match(tested, { stdout: /No errors detected/ });

  const disc = join(scratch, 'disc.zip');
  await writeFile(disc, (await daemon.download(zipOf(id, `${payload.name}/disc 1`))).bytes);
  t.same(Object.keys(JSON.parse((await run('python3', ['-c', LIST, disc])).stdout) as object), [
    'disc 1/größe.flac',
    'disc 1/b.flac',
  ]);
  t.equal((await daemon.download(zipOf(id, `${payload.name}/disc`))).status, 404, 'not a folder of that name');

  const link = await linkTo(daemon, id);
  for (const at of [1, 29, 100_050, 500_000, whole.length - 400, whole.length - 10]) {
    const part = join(scratch, `part-${at}.zip`);
    await writeFile(part, whole.subarray(0, at));
    await run('curl', ['-sS', '--fail', '-C', '-', '-o', part, link]);
    t.ok((await readFile(part)).equals(whole), `went on at ${at}`);
  }
});

void t.test('another daemon on the same files gives the same bytes from anywhere', async (t) => {
  const { payload, daemon } = await prepare(t, 2);
  const id = await complete(payload, daemon);
  const { bytes: whole, headers } = await daemon.download(zipOf(id));
  const tag = headers.get('etag');
  await daemon.stop();
  const again = await startDaemon({ dataDir: daemon.dataDir, savePath: daemon.savePath });
  t.teardown(() => again.stop());
  await again.waitFor(id, ({ completed, verifying }) => completed && !verifying, TIMEOUT_MS);
  const link = await linkTo(again, id);
  for (const from of [whole.length - 300, 800_000, 3]) {
    const answer = await fetch(link, { headers: { range: `bytes=${from}-`, 'if-range': tag ?? '' } });
    t.equal(answer.status, 206);
    t.ok(Buffer.from(await answer.arrayBuffer()).equals(whole.subarray(from)), `from ${from}`);
  }
});

void t.test('what is not there is waited for; what will not come is refused; others see nothing', async (t) => {
  const { payload, daemon } = await prepare(t, 3);
  const id = await daemon.addTorrentFile(payload.torrent());
  const seed = await connectSeed(payload, daemon.peerPort, 0);
  await daemon.waitFor(id, ({ peers }) => peers > 0, TIMEOUT_MS);
  let isOver = false;
  const waiting = daemon.download(zipOf(id, `${payload.name}/disc 2`)).finally(() => (isOver = true));
  await waitUntil('the folder', TIMEOUT_MS, () => {
    if (isOver) return true;
    seed.allow(4);
    return undefined;
  });
  const { status, bytes } = await waiting;
  t.equal(status, 200);
  const content = bytes.subarray(30 + 'disc 2/c.flac'.length, 30 + 'disc 2/c.flac'.length + 2 * MIB);
  t.equal(createHash('sha256').update(content).digest('hex'), payload.digests['disc 2/c.flac']);

  await daemon.api('POST', '/api/torrents/file_priorities', { infohash: id, priorities: { 2: 'skip' } });
  t.equal((await daemon.download(zipOf(id))).status, 409, 'a file in it is not wanted');
  await daemon.api('POST', `/api/torrents/${id}/pause`);
  // Of its many pieces the seed was asked for some at most, before those of the folder that was waited for.
  t.equal((await daemon.download(zipOf(id, `${payload.name}/disc 1`))).status, 409, 'paused');
  seed.destroy();
  const bob = await makeAccount(daemon, 'bob');
  t.equal((await bob.client.download(zipOf(id))).status, 403);
});
