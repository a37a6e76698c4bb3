// Files of torrents over HTTP, from a whole daemon over real sockets: what is asked for comes first while the torrent is
// downloaded, in the order in which it is read, and nothing is given that was not verified.
import { createHash } from 'node:crypto';
import { readFile, writeFile } from 'node:fs/promises';
import http from 'node:http';
import { join } from 'node:path';
import t, { type Test } from 'tap';
import { startDaemon, type DaemonUnderTest } from '../support/daemon.js';
import { libtorrent, testWith } from '../support/peers/index.js';
import { KIB, MIB, writeFiles, type Payload } from '../support/peers/payload.js';
import { connectSeed, type ScriptedSeed } from '../support/peers/scripted-seed.js';
import { makeScratch } from '../support/peers/scratch.js';
import { waitUntil } from '../support/peers/wait-until.js';

const TIMEOUT_MS = 60_000;
const PIECE_LENGTH = 64 * KIB;
const BLOCK_BYTES = 16 * KIB;
const BLOCKS_PER_PIECE = PIECE_LENGTH / BLOCK_BYTES;
const SIZE = 8 * MIB;
/** What lies before the film, so that pieces and offsets in the file are not alike. */
const BEFORE = 100_001;
const [NOTES, FILM] = [0, 1];
const FILES = [
  ['notes.txt', BEFORE],
  ['film.mkv', SIZE],
] as const;

t.setTimeout(180_000);

async function prepare(t: Test, seed: number, sizeBytes = SIZE, pieceLength = PIECE_LENGTH) {
  const scratch = await makeScratch('files-over-http', 3 * sizeBytes);
  t.teardown(() => scratch.remove());
  const files = FILES.map(([path, length]) => [path, path === 'film.mkv' ? sizeBytes : length] as const);
  const payload = await writeFiles({ directory: scratch.path, name: `payload-${seed}`, seed, pieceLength, files });
  const daemon = await startDaemon({ bytes: 3 * sizeBytes });
  t.teardown(() => daemon.stop());
  const film = await readFile(join(payload.directory, payload.name, 'film.mkv'));
  return { payload, daemon, film, cookie: await signIn(daemon, 'admin', daemon.adminPassword) };
}

interface Got {
  readonly status: number;
  readonly headers: http.IncomingHttpHeaders;
  readonly bytes: Buffer;
}

/** A session's cookie. */
async function signIn({ url }: DaemonUnderTest, username: string, password: string): Promise<string> {
  const login = await fetch(`${url}/api/login`, {
    method: 'POST',
    headers: { origin: url },
    body: JSON.stringify({ username, password }),
  });
  return login.headers.get('set-cookie')?.split(';')[0] ?? '';
}

interface Reading {
  /** Bytes so far. */
  readonly length: number;
  /** Answered, or cut off. */
  readonly isOver: boolean;
  readonly done: Promise<Got>;
  destroy(): void;
}

function read(daemon: DaemonUnderTest, cookie: string, path: string, range?: string, method = 'GET'): Reading {
  const chunks: Buffer[] = [];
  let length = 0;
  let isOver = false;
  let request: http.ClientRequest | undefined;
  const done = new Promise<Got>((resolve, reject) => {
    const headers = { cookie, ...(range ? { range } : {}) };
    request = http.request(`${daemon.url}${path}`, { method, headers, agent: false }, (response) => {
      response.on('data', (chunk: Buffer) => {
        chunks.push(chunk);
        length += chunk.length;
      });
      response.on('end', () =>
        resolve({ status: response.statusCode ?? 0, headers: response.headers, bytes: Buffer.concat(chunks) }),
      );
      response.on('error', reject);
    });
    request.on('error', reject);
    request.end();
  });
  void done.catch(() => undefined).then(() => (isOver = true));
  return {
    get length() {
      return length;
    },
    get isOver() {
      return isOver;
    },
    done,
    destroy: () => request?.destroy(),
  };
}

/** A little at a time, until that is enough. */
function feed(seed: ScriptedSeed, isEnough: () => boolean): Promise<true> {
  return waitUntil('enough', TIMEOUT_MS, () => {
    if (isEnough()) return true;
    seed.allow(BLOCKS_PER_PIECE);
    return undefined;
  });
}

/** Of whole pieces, as things are now. */
async function verifiedBytes(daemon: DaemonUnderTest, id: string): Promise<number> {
  const { json } = await daemon.api<{ have: string; piece_length: number }>('GET', `/api/torrents/${id}/pieces`);
  const bits = [...Buffer.from(json.have, 'base64')].map((byte) => byte.toString(2).replaceAll('0', '').length);
  return json.piece_length * bits.reduce((sum, count) => sum + count, 0);
}

const fileOf = (id: string, index: number): string => `/api/torrents/${id}/files/${index}`;
const sha256 = (bytes: Uint8Array): string => createHash('sha256').update(bytes).digest('hex');

async function complete(payload: Payload, daemon: DaemonUnderTest): Promise<string> {
  const id = await daemon.addTorrentFile(payload.torrent());
  const seed = await connectSeed(payload, daemon.peerPort, Infinity);
  await daemon.waitFor(id, ({ completed }) => completed, TIMEOUT_MS);
  seed.destroy();
  return id;
}

void t.test('a complete file: whole, by ranges, by HEAD, and only to be asked for again', async (t) => {
  const { payload, daemon, film, cookie } = await prepare(t, 1);
  const id = await complete(payload, daemon);
  const whole = await read(daemon, cookie, fileOf(id, FILM)).done;
  t.equal(whole.status, 200);
  t.equal(sha256(whole.bytes), payload.digests['film.mkv']);
  t.match(whole.headers, {
    'content-type': 'video/x-matroska',
    'content-length': String(SIZE),
    'content-disposition': 'inline; filename="film.mkv"',
    'accept-ranges': 'bytes',
    'x-content-type-options': 'nosniff',
    'content-security-policy': /default-src 'none'.*sandbox/,
    etag: `"${id}.${FILM}"`,
  });
  const middle = await read(daemon, cookie, fileOf(id, FILM), 'bytes=1000003-1999999').done;
  t.match([middle.status, middle.headers['content-range']], [206, `bytes 1000003-1999999/${SIZE}`]);
  t.ok(middle.bytes.equals(film.subarray(1_000_003, 2_000_000)));
  const head = await read(daemon, cookie, fileOf(id, FILM), undefined, 'HEAD').done;
  t.match([head.status, head.headers['content-length'], head.bytes.length], [200, String(SIZE), 0]);
  const notes = await read(daemon, cookie, fileOf(id, NOTES), 'bytes=-5').done;
  t.match([notes.status, notes.bytes.length], [206, 5]);
});

void t.test('while it downloads: what is asked for comes first, then what follows it', async (t) => {
  const { payload, daemon, film, cookie } = await prepare(t, 2);
  const id = await daemon.addTorrentFile(payload.torrent());
  const seed = await connectSeed(payload, daemon.peerPort, 0);
  await daemon.waitFor(id, ({ peers }) => peers > 0, TIMEOUT_MS);
  const from = Math.floor(SIZE * 0.8);
  const wanted = read(daemon, cookie, fileOf(id, FILM), `bytes=${from}-${from + 256 * KIB - 1}`);
  await feed(seed, () => wanted.isOver);
  const got = await wanted.done;
  t.ok(got.bytes.equals(film.subarray(from, from + 256 * KIB)));
  const sent = (seed.sent * BLOCK_BYTES) / SIZE;
  t.ok(sent < 0.4, `answered when ${Math.round(100 * sent)} % had been sent`);

  const rest = read(daemon, cookie, fileOf(id, FILM));
  seed.allow(Infinity);
  t.equal(sha256((await rest.done).bytes), payload.digests['film.mkv']);
  seed.destroy();
});

void t.test('bytes that do not come are refused before anything is sent', async (t) => {
  const { payload, daemon, cookie } = await prepare(t, 3);
  const id = await daemon.addTorrentFile(payload.torrent());
  await daemon.api('POST', `/api/torrents/${id}/pause`);
  const paused = await read(daemon, cookie, fileOf(id, FILM)).done;
  t.match([paused.status, paused.bytes.toString()], [409, /paused/]);
  await daemon.api('POST', `/api/torrents/${id}/resume`);
  await daemon.api('POST', '/api/torrents/file_priorities', { infohash: id, priorities: { [FILM]: 'skip' } });
  const skipped = await read(daemon, cookie, fileOf(id, FILM), 'bytes=1000000-').done;
  t.match([skipped.status, skipped.bytes.toString()], [409, /not wanted/]);
  t.match((await read(daemon, cookie, fileOf(id, 2)).done).status, 404);
  const waiting = read(daemon, cookie, fileOf(id, NOTES));
  const outcome = waiting.done.then(
    ({ status }) => status,
    () => 'cut',
  );
  await daemon.api('POST', `/api/torrents/${id}/pause`);
  t.equal(await outcome, 409, 'one that waits is told');
  const magnet = await daemon.addMagnet(`magnet:?xt=urn:btih:${'ab'.repeat(20)}`);
  t.match((await read(daemon, cookie, fileOf(magnet, 0)).done).status, 409, 'nobody knows what is in it');
});

void t.test('what was changed on disk behind its back is not given as its own', async (t) => {
  const { payload, daemon, cookie } = await prepare(t, 4);
  const id = await complete(payload, daemon);
  const path = join(daemon.savePath, payload.name, 'film.mkv');
  await writeFile(path, Buffer.alloc(SIZE, 7));
  await daemon.api('POST', `/api/torrents/${id}/recheck`);
  await daemon.waitFor(id, ({ verifying, completed }) => !verifying && !completed, TIMEOUT_MS);
  await daemon.api('POST', `/api/torrents/${id}/pause`);
  const { status } = await read(daemon, cookie, fileOf(id, FILM), `bytes=${4 * MIB}-`).done;
  t.equal(status, 409);
});

void testWith(t, libtorrent, 'from a seed of limited speed: a jump is answered long before the rest', async (t) => {
  const size = 64 * MIB;
  const { payload, daemon, film, cookie } = await prepare(t, 5, size, 256 * KIB);
  const seed = await libtorrent.start({ uploadBytesPerSec: 8 * MIB });
  t.teardown(() => seed.close());
  await seed.seed(payload.torrent(), payload.directory);
  const id = await daemon.addTorrentFile(payload.torrent());
  await daemon.addPeers(id, seed.address);
  await daemon.waitFor(id, ({ bytes_done }) => bytes_done > 0, TIMEOUT_MS);
  const from = Math.floor(size * 0.8);
  const before = await verifiedBytes(daemon, id);
  const got = await read(daemon, cookie, fileOf(id, FILM), `bytes=${from}-${from + MIB - 1}`).done;
  const meanwhile = (await verifiedBytes(daemon, id)) - before;
  t.ok(got.bytes.equals(film.subarray(from, from + MIB)));
  t.ok(meanwhile < size / 4, `${Math.round(meanwhile / MIB)} MiB came meanwhile`);
  const whole = await read(daemon, cookie, fileOf(id, FILM)).done;
  t.equal(sha256(whole.bytes), payload.digests['film.mkv']);
});

void t.test('whoever loses what let it in is sent no more', async (t) => {
  const { payload, daemon } = await prepare(t, 6);
  const password = 'correct horse battery';
  const user = { username: 'bob', password };
  const { json: bob } = await daemon.api<{ id: number }>('POST', '/api/users', user);
  const cookie = await signIn(daemon, 'bob', password);
  const id = await daemon.addTorrentFile(payload.torrent());
  const seed = await connectSeed(payload, daemon.peerPort, 0);
  t.equal((await read(daemon, cookie, fileOf(id, NOTES)).done).status, 403, 'not shared with it');
  await daemon.api('POST', `/api/torrents/${id}/shares`, { user_id: bob.id, access: 'viewer' });
  const film = read(daemon, cookie, fileOf(id, FILM));
  const end = film.done.then(
    ({ bytes }) => bytes.length,
    () => 'cut',
  );
  await feed(seed, () => film.length > 0);
  await daemon.api('DELETE', `/api/torrents/${id}/shares/${bob.id}`);
  await feed(seed, () => film.isOver);
  t.equal(await end, 'cut');
  seed.destroy();
});
