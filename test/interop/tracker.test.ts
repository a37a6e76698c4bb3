// Swarmd and another program find each other by a tracker alone, over HTTP (BEP 3) and UDP (BEP 15), both ways; and
// what Swarmd tells the tracker of its life: started, completed, stopped.
import t, { type Test } from 'tap';
import { startDaemon } from '../support/daemon.js';
import { startHttpTracker } from '../support/http-tracker.js';
import { aria2, libtorrent, testWith, type PeerProgram } from '../support/peers/index.js';
import { digestsOf, KIB, MIB, writePayload, type Payload } from '../support/peers/payload.js';
import { makeScratch } from '../support/peers/scratch.js';
import { waitUntil } from '../support/peers/wait-until.js';
import type { SeenAnnounce } from '../support/swarms.js';
import { startUdpTracker } from '../support/udp-tracker.js';

const TOTAL_BYTES = 16 * MIB + 3;
const TIMEOUT_MS = 60_000;

interface Tracker {
  readonly announceUrl: string;
  readonly announces: readonly SeenAnnounce[];
  close(): Promise<void>;
}

t.setTimeout(240_000);

for (const [kind, start] of [
  ['HTTP', startHttpTracker],
  ['UDP', startUdpTracker],
] as const) {
  void testWith(t, libtorrent, `downloading, found by ${kind}`, (t) => downloadByTracker(t, () => start()));
  // aria2 speaks to UDP trackers only with its DHT on.
  const program = kind === 'HTTP' ? aria2 : libtorrent;
  void testWith(t, program, `seeding, found by ${kind}`, (t) => seedByTracker(t, program, () => start()));
}

async function downloadByTracker(t: Test, start: () => Promise<Tracker>): Promise<void> {
  const { tracker, payload, torrentBytes } = await prepare(t, start);
  const seed = await libtorrent.start();
  t.teardown(() => seed.close());
  await seed.seed(torrentBytes, payload.directory);
  await waitUntil('the seed announced', TIMEOUT_MS, () => heard(tracker, seed.port)[0]);

  const daemon = await startDaemon({ bytes: TOTAL_BYTES });
  t.teardown(() => daemon.stop());
  const id = await daemon.addTorrentFile(torrentBytes);
  await daemon.waitFor(id, ({ completed }) => completed, TIMEOUT_MS);
  t.same(await digestsOf(payload, daemon.savePath), payload.digests, 'the same files');
  await waitUntil('completed announced', TIMEOUT_MS, () =>
    heard(tracker, daemon.peerPort).find(({ event }) => event === 'completed'),
  );
  t.match(await daemon.stop(), { code: 0 });

  const announces = heard(tracker, daemon.peerPort);
  t.same(
    announces.map(({ event }) => event).filter((event) => event !== 'none'),
    ['started', 'completed', 'stopped'],
    'its life, each part once',
  );
  t.match(announces[0], { infoHash: payload.infoHash, left: TOTAL_BYTES, downloaded: 0, uploaded: 0 });
  t.match(announces.at(-1), { event: 'stopped', left: 0 });
  t.ok((announces.at(-1)?.downloaded ?? 0) >= TOTAL_BYTES, 'what it downloaded');
  t.equal(new Set(announces.map(({ peerId }) => peerId)).size, 1, 'under one peer id');
}

async function seedByTracker(t: Test, program: PeerProgram, start: () => Promise<Tracker>): Promise<void> {
  const { tracker, payload, torrentBytes } = await prepare(t, start);
  const daemon = await startDaemon();
  t.teardown(() => daemon.stop());
  const id = await daemon.addTorrentFile(torrentBytes, payload.directory);
  await daemon.waitFor(id, ({ completed, verifying }) => completed && !verifying, TIMEOUT_MS);
  await waitUntil('the daemon announced', TIMEOUT_MS, () => heard(tracker, daemon.peerPort)[0]);

  const target = await makeScratch('target', TOTAL_BYTES);
  t.teardown(() => target.remove());
  const leech = await program.start();
  t.teardown(() => leech.close());
  await leech.leech(torrentBytes, target.path);
  await waitUntil(
    `${program.name} having everything`,
    TIMEOUT_MS,
    async () => (await leech.progress()).isSeeding || undefined,
    () => daemon.stderr.slice(-4_000),
  );
  t.same(await digestsOf(payload, target.path), payload.digests, 'the same files');
  t.match(await daemon.stop(), { code: 0 });

  const announces = heard(tracker, daemon.peerPort);
  t.same(
    announces.map(({ event }) => event).filter((event) => event !== 'none'),
    ['started', 'stopped'],
    'found on disk is not completed',
  );
  t.match(announces[0], { left: 0 }, 'a seed from the start');
  t.ok((announces.at(-1)?.uploaded ?? 0) >= TOTAL_BYTES, 'what it uploaded');
}

async function prepare(t: Test, start: () => Promise<Tracker>) {
  const tracker = await start();
  t.teardown(() => tracker.close());
  const source = await makeScratch('source', TOTAL_BYTES);
  t.teardown(() => source.remove());
  const payload: Payload = await writePayload(source.path, TOTAL_BYTES, 256 * KIB);
  return { tracker, payload, torrentBytes: payload.torrent([tracker.announceUrl]) };
}

/** What the peer listening on the port told the tracker. */
function heard({ announces }: Tracker, port: number): readonly SeenAnnounce[] {
  return announces.filter((announce) => announce.port === port);
}
