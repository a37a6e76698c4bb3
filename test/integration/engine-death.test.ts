// The engine's thread dies under a real daemon, as it would of a bug or of too little memory: clients are told to come
// back, a successor takes its port and its torrents, and a daemon whose engine keeps dying ends with one clear line.
import t from 'tap';
import { join } from 'node:path';
import { startDaemon, type DaemonUnderTest } from '../support/daemon.js';
import { digestsOf, KIB, MIB, writePayload } from '../support/peers/payload.js';
import { makeScratch } from '../support/peers/scratch.js';
import { connectSeed } from '../support/peers/scripted-seed.js';
import { waitUntil } from '../support/peers/wait-until.js';
import { evaluateInThread, INSPECTED } from '../support/thread-inspector.js';

const TOTAL_BYTES = 4 * MIB + 1;
const TIMEOUT_MS = 30_000;
const MAX_RESTARTS = 3;
/** Has the descriptor by which LMDB writes its meta pages, the one that syncs by itself, lead to what takes no writes. */
const LOSE_META_PAGES = `{
  const fs = process.getBuiltinModule('fs');
  const O_DSYNC = 0o10000;
  for (const fd of fs.readdirSync('/proc/self/fd')) {
    let path = '';
    try { path = fs.readlinkSync('/proc/self/fd/' + fd); } catch {}
    if (!path.endsWith('torrents/data.mdb')) continue;
    if ((parseInt(/flags:\\s*(\\d+)/.exec(fs.readFileSync('/proc/self/fdinfo/' + fd, 'utf8'))[1], 8) & O_DSYNC) === 0) continue;
    fs.closeSync(Number(fd));
    while (fs.openSync('/dev/null', 'r') < Number(fd));
  }
}`;

t.setTimeout(180_000);

void t.test('clients wait, torrents and settings are there again, downloads go on', async (t) => {
  const scratch = await makeScratch('engine-death', 4 * TOTAL_BYTES);
  t.teardown(() => scratch.remove());
  const payload = await writePayload(join(scratch.path, 'source'), TOTAL_BYTES, 64 * KIB);
  const daemon = await startDaemon({ env: INSPECTED, bytes: TOTAL_BYTES });
  t.teardown(() => daemon.stop());
  const id = await daemon.addTorrentFile(payload.torrent());
  const limits = { down_kbps: 0, up_kbps: 1234, alt_down_kbps: 0, alt_up_kbps: 0, alt_active: false };
  await daemon.api('PUT', '/api/settings/limits', limits);
  await daemon.api('PUT', `/api/torrents/${id}/rate_limits`, { down_kbps: 0, up_kbps: 77 });
  const first = await connectSeed(payload, daemon.peerPort, 100);
  t.teardown(() => first.destroy());
  await daemon.waitFor(id, ({ bytes_done }) => bytes_done > MIB, TIMEOUT_MS);

  await killEngine(daemon);
  t.match(await answerWhileAway(daemon, id), { error: 'engine restarting' }, '503 meanwhile');
  t.same(await untilAnswered(daemon, id), { down_kbps: 0, up_kbps: 77 }, "the torrent's own limits");
  t.ok(first.isClosed, 'the peers of the dead engine are gone');
  t.same((await daemon.api('GET', '/api/settings/limits')).json, limits);
  const found = await daemon.waitFor(id, ({ verifying, bytes_done }) => !verifying && bytes_done > MIB, TIMEOUT_MS);
  t.notOk(found.paused);

  const second = await connectSeed(payload, daemon.peerPort, Infinity);
  t.teardown(() => second.destroy());
  await daemon.waitFor(id, ({ completed }) => completed, TIMEOUT_MS);
  t.same(await digestsOf(payload, daemon.savePath), payload.digests, 'at the same port, to the end');
});

void t.test('an engine that runs out of memory takes nobody with it', async (t) => {
  const scratch = await makeScratch('engine-memory', TOTAL_BYTES);
  t.teardown(() => scratch.remove());
  const payload = await writePayload(join(scratch.path, 'source'), TOTAL_BYTES, 64 * KIB);
  // So that it happens within a second; the main thread has as much, and must live.
  const env = { NODE_OPTIONS: `${INSPECTED.NODE_OPTIONS} --max-old-space-size=96` };
  const daemon = await startDaemon({ env });
  t.teardown(() => daemon.stop());
  const id = await daemon.addTorrentFile(payload.torrent());
  const hoard = 'globalThis.hoard = []; for (;;) hoard.push(new Array(1000).fill(hoard.length))';
  await evaluateInThread(() => daemon.stderr, 'engine', hoard);
  await restarts(daemon, 1);
  t.match(
    daemon.stderr,
    /engine exited \(1\): Worker terminated due to reaching memory limit/,
    'and why is in the log',
  );
  t.same(await untilAnswered(daemon, id), { down_kbps: 0, up_kbps: 0 }, 'its torrent is there again');
});

void t.test('a store that could not write which state is its newest is opened anew', async (t) => {
  const daemon = await startDaemon({ env: INSPECTED });
  t.teardown(() => daemon.stop());
  const id = await daemon.addMagnet(`magnet:?xt=urn:btih:${'ab'.repeat(20)}`);
  await evaluateInThread(() => daemon.stderr, 'engine', LOSE_META_PAGES);
  t.equal((await daemon.api('POST', `/api/torrents/${id}/pause`)).status, 500);
  await restarts(daemon, 1);
  t.match(daemon.stderr, /engine exited \(1\): torrent store: cannot write/, 'and why is in the log');
  await untilAnswered(daemon, id);
  t.notOk((await daemon.torrent(id)).paused, 'what was not answered is not done');
  t.equal((await daemon.api('POST', `/api/torrents/${id}/pause`)).status, 200);
  t.ok((await daemon.torrent(id)).paused);
});

void t.test('an engine that dies a fourth time within ten minutes ends the daemon, which says so', async (t) => {
  const daemon = await startDaemon({ env: INSPECTED });
  t.teardown(() => daemon.stop());
  for (let restart = 1; restart <= MAX_RESTARTS; restart++) {
    await killEngine(daemon);
    await restarts(daemon, restart);
  }
  await killEngine(daemon);
  const { code, signal } = await daemon.exited;
  t.match({ code, signal }, { code: 1, signal: null });
  t.match(daemon.stderr, /^swarmd: the engine died 4 times within 10 minutes, giving up: engine exited \(9\).*$/m);
});

function killEngine(daemon: DaemonUnderTest): Promise<void> {
  return evaluateInThread(() => daemon.stderr, 'engine', 'process.exit(9)');
}

const limitsOf = (daemon: DaemonUnderTest, id: string) => daemon.api('GET', `/api/torrents/${id}/rate_limits`);

function answerWhileAway(daemon: DaemonUnderTest, id: string): Promise<unknown> {
  return waitUntil('503', TIMEOUT_MS, async () => {
    const { status, json } = await limitsOf(daemon, id);
    return status === 503 ? json : undefined;
  });
}

function untilAnswered(daemon: DaemonUnderTest, id: string): Promise<unknown> {
  return waitUntil('an engine', TIMEOUT_MS, async () => {
    const { status, json } = await limitsOf(daemon, id);
    return status === 200 ? json : undefined;
  });
}

async function restarts(daemon: DaemonUnderTest, count: number): Promise<void> {
  await waitUntil(
    `restart ${count}`,
    TIMEOUT_MS,
    () => (daemon.stderr.match(/engine restarted/g)?.length ?? 0) >= count || undefined,
    () => daemon.stderr,
  );
}
