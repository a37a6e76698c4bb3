// Connections that are cut, reset, flooded with garbage or never read, at every moment of HTTP, TLS, WebSocket, peers and
// of what the service fetches itself: the process goes on, it is the same one, it says nothing of an error of its own,
// and no descriptor is left behind.
import { readdirSync, readlinkSync } from 'node:fs';
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import t, { type Test } from 'tap';
import { startDaemon, type DaemonUnderTest } from '../../support/daemon.js';
import { FUZZ_SEED, fuzzRuns } from '../../support/fuzzing.js';
import { makeTorrent, seededBytes } from '../../support/make-torrent.js';
import { handshake, RawPeer } from '../../support/peers/raw-peer.js';
import { makeScratch } from '../../support/peers/scratch.js';
import { waitUntil } from '../../support/peers/wait-until.js';
import { SeededRandom } from '../../support/seeded-random.js';
import { TEST_CERTIFICATE, TEST_KEY } from '../../support/tls-fixture.js';
import { rudePath, startRudeAnswers, type RudeAnswers } from './answers.js';
import { clientHello, httpScripts, peerScripts, type Account } from './scripts.js';
import { ENDINGS, pay } from './visit.js';

/** At a time. */
const LANES = 48;
const VISITS_PER_LOOK = 200;
const TIMEOUT_MS = 30_000;
const PIECE_LENGTH = 256 * 1024;
const PIECES = 8;
/** A descriptor or two of the moment: a log, a poll, a connection of the test's own client. */
const SPARE_DESCRIPTORS = 12;

t.setTimeout(600_000);
// The daemon's certificate is for tests only.
process.env['NODE_TLS_REJECT_UNAUTHORIZED'] = '0';

const made = makeTorrent({ name: 'seed.bin', pieceLength: PIECE_LENGTH, files: seededBytes(1, PIECES * PIECE_LENGTH) });

void t.test(`HTTP and WebSocket, seed ${FUZZ_SEED}`, async (t) => {
  const { daemon, account } = await start(t);
  const scripts = httpScripts(account, made.torrentBytes);
  const port = Number(new URL(daemon.url).port);
  await visits(t, daemon, fuzzRuns(2_000), (random) => ({ port, ...spoken(scripts, random) }));
});

void t.test('TLS', async (t) => {
  const scratch = await makeScratch('every-moment');
  t.teardown(() => scratch.remove());
  const [cert, key] = [join(scratch.path, 'cert.pem'), join(scratch.path, 'key.pem')];
  await Promise.all([writeFile(cert, TEST_CERTIFICATE), writeFile(key, TEST_KEY)]);
  const { daemon, account } = await start(t, ['--tls-cert', cert, '--tls-key', key]);
  const port = Number(new URL(daemon.url).port);
  const hello = await clientHello();
  const scripts = httpScripts(account, made.torrentBytes);
  await visits(t, daemon, fuzzRuns(600), (random) => {
    if (random.below(2) === 0) return { port, ...spoken([hello], random) };
    return { port, secure: true, ...spoken(scripts, random) };
  });
});

void t.test('peers', async (t) => {
  const { daemon } = await start(t);
  await writeFile(join(daemon.savePath, 'seed.bin'), made.payload);
  const id = await daemon.addTorrentFile(made.torrentBytes);
  await daemon.waitFor(id, ({ completed, verifying }) => completed && !verifying, TIMEOUT_MS);
  const scripts = peerScripts(made.infoHash, PIECES, FUZZ_SEED);
  const port = daemon.peerPort;
  await visits(t, daemon, fuzzRuns(1_000), (random) => {
    // Of many hosts, as one that misbehaves is kept away for a while.
    const from = `127.0.${1 + random.below(200)}.${1 + random.below(200)}`;
    return { port, from, ...spoken(scripts, random) };
  });
  const honest = await RawPeer.connect(daemon.peerPort, { localAddress: '127.9.9.9' });
  t.teardown(() => honest.destroy());
  honest.send(handshake(made.infoHash));
  await waitUntil('an honest peer is greeted', TIMEOUT_MS, () => honest.isGreeted || undefined);
});

void t.test('what is fetched, trackers and web seeds', async (t) => {
  const { daemon } = await start(t, ['--fetch-allow', '127.0.0.0/8']);
  const server = await startRudeAnswers(new SeededRandom(FUZZ_SEED));
  t.teardown(() => server.close());
  const count = fuzzRuns(200);
  const before = descriptorsOf(daemon);
  const feed = await daemon.api<{ id: number }>('POST', '/api/feeds', { url: `${server.origin}/feed`, name: 'rude' });
  await inLanes(count, 16, async (index) => {
    const random = new SeededRandom(FUZZ_SEED + index);
    const url = `${server.origin}${rudePath(random, index)}`;
    if (index % 8 === 7) {
      await daemon.api('PUT', '/api/feeds', { id: feed.json.id, url, name: 'rude' });
      await daemon.api('GET', `/api/feeds/${feed.json.id}/items`);
    } else if (index % 8 === 6) {
      await daemon.api('PUT', '/api/settings/blocklist', { url, enabled: true });
      await daemon.api('POST', '/api/settings/blocklist/refresh');
    } else if (index % 8 === 1) {
      await meetsInTorrent(daemon, server, count + 2 * index);
    } else {
      const { status } = await daemon.api('POST', '/api/torrents/url', { url });
      if (status >= 500) t.fail(`${url}: ${status}`);
    }
  });
  t.pass(`${count} fetches, trackers and web seeds`);
  await isWell(t, daemon, before);
});

/** One tracker and one web seed that answer rudely, once each at least. */
async function meetsInTorrent(daemon: DaemonUnderTest, server: RudeAnswers, number: number): Promise<void> {
  const random = new SeededRandom(FUZZ_SEED + number);
  const torrent = makeTorrent({
    name: `wanted-${number}.bin`,
    pieceLength: PIECE_LENGTH,
    files: seededBytes(number, PIECE_LENGTH),
    trackers: [`${server.origin}${rudePath(random, number)}`],
    webSeeds: [`${server.origin}${rudePath(random, number + 1)}`],
  });
  const id = await daemon.addTorrentFile(torrent.torrentBytes);
  const isMet = (): boolean => server.isAsked(number) && server.isAsked(number + 1);
  await waitUntil('tracker and web seed are asked', TIMEOUT_MS, () => isMet() || undefined);
  await daemon.api('DELETE', `/api/torrents/${id}?delete=1`);
}

async function start(t: Test, args: readonly string[] = []): Promise<{ daemon: DaemonUnderTest; account: Account }> {
  const daemon = await startDaemon({ args });
  t.teardown(() => daemon.stop());
  const { url, adminPassword } = daemon;
  const login = await fetch(`${url}/api/login`, {
    method: 'POST',
    headers: { 'content-type': 'application/json', origin: url },
    body: JSON.stringify({ username: 'admin', password: adminPassword }),
  });
  return { daemon, account: { url, cookie: login.headers.get('set-cookie')?.split(';')[0] ?? '' } };
}

function spoken(scripts: readonly Uint8Array[], random: SeededRandom) {
  const script = scripts[random.below(scripts.length)]!;
  const cut = random.below(3) === 0 ? script.length : random.below(script.length + 1);
  return { script, cut, ending: ENDINGS[random.below(ENDINGS.length)]! };
}

async function visits(
  t: Test,
  daemon: DaemonUnderTest,
  count: number,
  make: (random: SeededRandom) => Parameters<typeof pay>[0],
): Promise<void> {
  const before = descriptorsOf(daemon);
  for (let done = 0; done < count; done += VISITS_PER_LOOK) {
    await inLanes(Math.min(VISITS_PER_LOOK, count - done), LANES, (index) => {
      const random = new SeededRandom(FUZZ_SEED + done + index);
      return pay(make(random), random);
    });
    const answer = await fetch(`${daemon.url}/api/healthz`).catch(() => null);
    if (answer?.status !== 200) return void t.fail(`does not answer after ${done} connections: ${daemon.stderr}`);
    await answer.arrayBuffer();
  }
  t.pass(`${count} connections`);
  await isWell(t, daemon, before);
}

async function isWell(t: Test, daemon: DaemonUnderTest, descriptorsBefore: number): Promise<void> {
  t.equal((await fetch(`${daemon.url}/api/healthz`)).status, 200);
  t.notMatch(daemon.stderr, /"level":"(error|fatal)"|bug:/, 'no error of its own');
  await waitUntil(
    'the connections are closed',
    TIMEOUT_MS,
    () => (descriptorsOf(daemon) <= descriptorsBefore + SPARE_DESCRIPTORS ? true : undefined),
    () => `${descriptorsOf(daemon)} descriptors, ${descriptorsBefore} before: ${openFilesOf(daemon).join(' ')}`,
  );
}

async function inLanes(count: number, lanes: number, work: (index: number) => Promise<void>): Promise<void> {
  let next = 0;
  const lane = async (): Promise<void> => {
    while (next < count) await work(next++);
  };
  await Promise.all(Array.from({ length: lanes }, lane));
}

function descriptorsOf({ pid }: DaemonUnderTest): number {
  return readdirSync(`/proc/${pid}/fd`).length;
}

/** What its descriptors are, for the message of a failure. */
function openFilesOf({ pid }: DaemonUnderTest): string[] {
  const folder = `/proc/${pid}/fd`;
  return readdirSync(folder).flatMap((descriptor) => {
    try {
      return [readlinkSync(join(folder, descriptor))];
    } catch {
      return [];
    }
  });
}
