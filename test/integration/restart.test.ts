// What outlives a daemon's end, orderly or not, and what it refuses: the run contract
// (docs/architecture.md#the-run-contract) through the front door, with the compiled program.
import t, { type Test } from 'tap';
import { access, mkdir, readdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { runDaemon, startDaemon } from '../support/daemon.js';
import { digestsOf, KIB, MIB, writePayload, type Payload } from '../support/peers/payload.js';
import { BLOCK_BYTES } from '../support/peers/raw-peer.js';
import { connectSeed } from '../support/peers/scripted-seed.js';
import { makeScratch } from '../support/peers/scratch.js';
import { waitUntil } from '../support/peers/wait-until.js';

const TOTAL_BYTES = 8 * MIB + 1;
const PIECE_LENGTH = 64 * KIB;
const TIMEOUT_MS = 20_000;

t.setTimeout(420_000);

void t.test('progress survives SIGTERM, then SIGKILL, then the download completes', async (t) => {
  const { payload, home } = await prepare(t);
  const first = await startDaemon(home);
  t.teardown(() => first.stop());
  const id = await first.addTorrentFile(payload.torrent());
  const before = await downloadBlocks(first, payload, id, 200);
  t.match(await first.stop('SIGTERM'), { code: 0 }, 'an orderly end');

  const second = await startDaemon(home);
  t.teardown(() => second.stop());
  const known = await second.torrent(id);
  t.match(known, { verifying: false, name: payload.name, save_path: home.savePath }, 'nothing is verified again');
  // What was still being hashed when we looked counts as well.
  t.ok(known.bytes_done >= before, `known at once: ${known.bytes_done} bytes, ${before} before`);
  const later = await downloadBlocks(second, payload, id, 100);
  t.ok(later > before, `${later} bytes, ${before} before`);
  t.match(await second.kill(), { signal: 'SIGKILL' });

  const third = await startDaemon(home);
  t.teardown(() => third.stop());
  const found = await third.waitFor(id, ({ verifying, bytes_done }) => !verifying && bytes_done > 0, TIMEOUT_MS);
  t.ok(found.bytes_done >= later, 'what was written after the last record is found again');
  const seed = await connectSeed(payload, third.peerPort, Infinity);
  t.teardown(() => seed.destroy());
  await third.waitFor(id, ({ completed }) => completed, TIMEOUT_MS);
  t.ok(seed.sent * BLOCK_BYTES <= TOTAL_BYTES - later + 2 * PIECE_LENGTH, 'only what was missing is fetched');
  t.same(await digestsOf(payload, home.savePath), payload.digests);
});

void t.test('killed before anything was recorded: what is on disk is not fetched again', async (t) => {
  const { payload, home } = await prepare(t);
  const first = await startDaemon(home);
  t.teardown(() => first.stop());
  const id = await first.addTorrentFile(payload.torrent());
  const before = await downloadBlocks(first, payload, id, 200);
  await first.kill();

  const second = await startDaemon(home);
  t.teardown(() => second.stop());
  t.match(await second.torrent(id), { name: payload.name, save_path: home.savePath }, 'the torrent is there');
  const found = await second.waitFor(id, ({ bytes_done }) => bytes_done >= before, TIMEOUT_MS);
  t.ok(found.bytes_done >= before);
});

void t.test('a paused torrent, a complete one and a magnet stay what they are', async (t) => {
  const { payload, home } = await prepare(t);
  const other = await writePayload(payload.directory, MIB, PIECE_LENGTH, 2);
  const unknown = `magnet:?xt=urn:btih:${'ab'.repeat(20)}&dn=nobody`;
  let daemon = await startDaemon(home);
  t.teardown(() => daemon.stop());
  const paused = await daemon.addTorrentFile(payload.torrent());
  t.match(await daemon.api('POST', `/api/torrents/${paused}/pause`), { status: 200 });
  const complete = await daemon.addTorrentFile(other.torrent(), other.directory);
  await daemon.waitFor(complete, ({ completed }) => completed, TIMEOUT_MS);
  const magnet = await daemon.addMagnet(unknown);
  const expected = (await daemon.torrents()).map(({ id }) => id);
  t.same([...expected].sort(), [paused, complete, magnet].sort());

  for (const signal of ['SIGTERM', 'SIGKILL'] as const) {
    await daemon.stop(signal);
    daemon = await startDaemon(home);
    t.same(
      (await daemon.torrents()).map(({ id }) => id),
      expected,
      `all there after ${signal}, in the same order`,
    );
    t.match(await daemon.torrent(paused), { paused: true, completed: false, bytes_done: 0 });
    t.match(await daemon.torrent(magnet), { paused: false, total_bytes: 0, name: 'nobody' });
    const kept = await daemon.waitFor(complete, ({ completed, verifying }) => completed && !verifying, TIMEOUT_MS);
    t.match(kept, { paused: false, progress: 1, save_path: other.directory });
  }
});

void t.test('what cannot be added is answered with a reason and leaves nothing', async (t) => {
  const { payload, home } = await prepare(t);
  const daemon = await startDaemon(home);
  t.teardown(() => daemon.stop());
  const whole = Buffer.from(payload.torrent());
  const files: readonly (readonly [string, Uint8Array])[] = [
    ['nothing', Buffer.alloc(0)],
    ['text', Buffer.from('this is no torrent')],
    ['a torrent cut short', whole.subarray(0, whole.length - 5)],
    ['no info dictionary', Buffer.from('d8:announce3:abce')],
  ];
  for (const [name, bytes] of files) {
    const form = new FormData();
    form.set('file', new Blob([bytes]), 'bad.torrent');
    const { status, json } = await daemon.api('POST', '/api/torrents/file', form);
    t.equal(status, 400, name);
    t.match(json, { error: /\w+/ }, `${name}: ${String(json['error'])}`);
  }
  for (const magnet of ['', 'http://127.0.0.1/x', 'magnet:?dn=nothing', `magnet:?xt=urn:btih:${'z'.repeat(40)}`]) {
    const { status, json } = await daemon.api('POST', '/api/torrents/magnet', { magnet });
    t.equal(status, 400, JSON.stringify(magnet));
    t.match(json, { error: /\w+/ });
  }
  t.same(await daemon.torrents(), [], 'nothing is listed');
});

void t.test('a bad flag is one line and exit 2', async (t) => {
  for (const flags of [['--no-such-flag'], ['--port', 'eighty'], ['--peer-port', '70000'], ['--flavor', 'sweet']]) {
    const { code, stdout, stderr } = await runDaemon(flags);
    t.equal(code, 2, flags.join(' '));
    t.same(stdout, []);
    t.match(stderr, /^swarmd: [^\n]+\n$/);
  }
});

void t.test('a second start on the same data directory is refused', async (t) => {
  const { home } = await prepare(t);
  const first = await startDaemon(home);
  t.teardown(() => first.stop());
  const flags = ['--data-dir', home.dataDir, '--save-path', home.savePath, '--port', '0', '--peer-port', '0'];
  const second = await runDaemon([...flags, '--dht', 'off', '--lsd', 'off', '--upnp', 'off']);
  t.equal(second.code, 1);
  t.same(second.stdout, [], 'it was never ready');
  t.match(second.stderr, new RegExp(`in use by process ${first.pid}`));
  t.match(await first.api('GET', '/api/healthz'), { status: 200, json: { ok: true } }, 'the first is undisturbed');
});

void t.test('deleting data removes our files and no others', async (t) => {
  const { payload } = await prepare(t);
  const folder = join(payload.directory, payload.name);
  const stranger = join(folder, 'extras', 'diary.txt');
  const empty = join(folder, 'keep');
  await writeFile(stranger, 'not of this torrent');
  await mkdir(empty);
  const daemon = await startDaemon();
  t.teardown(() => daemon.stop());
  const id = await daemon.addTorrentFile(payload.torrent(), payload.directory);
  await daemon.waitFor(id, ({ completed }) => completed, TIMEOUT_MS);

  t.match(await daemon.api('DELETE', `/api/torrents/${id}?delete=1`), { status: 200, json: { ok: true } });
  t.same(await daemon.torrents(), []);
  await waitUntil('files deleted', TIMEOUT_MS, async () => {
    const left = await Promise.all(Object.keys(payload.digests).map((path) => exists(join(folder, path))));
    return left.includes(true) ? undefined : true;
  });
  t.match(await daemon.stop(), { code: 0 });
  t.same((await readdir(folder)).sort(), ['extras', 'keep'], 'a folder that is not ours, and the one that is in use');
  t.same(await readdir(join(folder, 'extras')), ['diary.txt']);
});

void t.test('removing without deleting leaves the files', async (t) => {
  const { payload } = await prepare(t);
  const daemon = await startDaemon();
  t.teardown(() => daemon.stop());
  const id = await daemon.addTorrentFile(payload.torrent(), payload.directory);
  await daemon.waitFor(id, ({ completed }) => completed, TIMEOUT_MS);
  t.match(await daemon.api('DELETE', `/api/torrents/${id}`), { status: 200 });
  await daemon.stop();
  t.same(await digestsOf(payload, payload.directory), payload.digests);
});

interface Home {
  readonly dataDir: string;
  readonly savePath: string;
}

async function prepare(t: Test): Promise<{ readonly payload: Payload; readonly home: Home }> {
  const scratch = await makeScratch('restart', 2 * TOTAL_BYTES);
  t.teardown(() => scratch.remove());
  const payload = await writePayload(join(scratch.path, 'source'), TOTAL_BYTES, PIECE_LENGTH);
  return { payload, home: { dataDir: join(scratch.path, 'data'), savePath: join(scratch.path, 'downloads') } };
}

/** Downloads so many blocks from a seed that then holds back; the bytes verified when no more come. */
async function downloadBlocks(
  daemon: Awaited<ReturnType<typeof startDaemon>>,
  payload: Payload,
  id: string,
  blocks: number,
): Promise<number> {
  const from = (await daemon.torrent(id)).bytes_done;
  const seed = await connectSeed(payload, daemon.peerPort, blocks);
  await waitUntil(
    'blocks sent',
    TIMEOUT_MS,
    () => seed.sent === blocks || undefined,
    () => `${seed.sent} sent`,
  );
  // Pieces in progress stay so: at most one in four of these blocks.
  const least = from + 0.75 * blocks * BLOCK_BYTES;
  let last = -1;
  const { bytes_done } = await daemon.waitFor(
    id,
    (torrent) => {
      const settled = torrent.bytes_done === last && last >= least;
      last = torrent.bytes_done;
      return settled;
    },
    TIMEOUT_MS,
  );
  seed.destroy();
  return bytes_done;
}

function exists(path: string): Promise<boolean> {
  return access(path).then(
    () => true,
    () => false,
  );
}
