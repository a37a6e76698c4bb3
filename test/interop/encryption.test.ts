// Transfers with other programs that require message stream encryption (MSE/PE) or do without it, in both directions:
// every file the same to the byte. libtorrent dials us when it downloads, aria2 when a tracker has told it of us; all
// others are dialled by us.
import t, { type Test } from 'tap';
import type { EncryptionPolicy } from '../../shared-protocol/encryption-policy.js';
import { startDaemon } from '../support/daemon.js';
import { startHttpTracker, type HttpTracker } from '../support/http-tracker.js';
import {
  aria2,
  libtorrent,
  testWith,
  transmission,
  type PeerEncryption,
  type PeerProgram,
} from '../support/peers/index.js';
import { digestsOf, KIB, MIB, writePayload, type Payload } from '../support/peers/payload.js';
import { makeScratch } from '../support/peers/scratch.js';
import { waitUntil } from '../support/peers/wait-until.js';

const TIMEOUT_MS = 90_000;
const INTRODUCE_AGAIN_MS = 10_000;

interface Round {
  readonly theirs: PeerEncryption;
  /** null: the default, which prefers encryption and falls back to plain. */
  readonly ours: EncryptionPolicy | null;
}

const ROUNDS: readonly Round[] = [
  { theirs: 'required', ours: null },
  { theirs: 'required', ours: 'required' },
  { theirs: 'plain', ours: null },
  { theirs: 'plain', ours: 'off' },
];

// The programs wait for their own timers more than they work.
t.jobs = 2;
t.setTimeout(300_000);

void t.test('64 MiB', async (t) => {
  const payload = await seedPayload(t, 64 * MIB);
  t.jobs = 2;
  await Promise.all([libtorrent, aria2].map((program) => allRounds(t, program, payload)));
});

// Transmission 3.00 acts in rounds of ten seconds, whatever there is to transfer: all of its transfers wait together.
void t.test('8 MiB', async (t) => {
  const payload = await seedPayload(t, 8 * MIB);
  t.jobs = 2 * ROUNDS.length;
  await allRounds(t, transmission, payload);
});

void testWith(t, aria2, 'aria2 required, Swarmd by default: aria2 dials', async (t) => {
  const payload = await seedPayload(t, 8 * MIB);
  const tracker = await startHttpTracker();
  t.teardown(() => tracker.close());
  await seedTo(t, aria2, { theirs: 'required', ours: null }, payload, tracker);
});

async function seedPayload(t: Test, bytes: number): Promise<Payload> {
  const source = await makeScratch('source', bytes);
  t.teardown(() => source.remove());
  return writePayload(source.path, bytes, 256 * KIB);
}

async function allRounds(t: Test, program: PeerProgram, payload: Payload): Promise<void> {
  const tests = ROUNDS.flatMap((round) => {
    const modes = `${program.name} ${round.theirs}, Swarmd ${round.ours ?? 'by default'}`;
    return [
      testWith(t, program, `${modes}: Swarmd seeds`, (t) => seedTo(t, program, round, payload)),
      testWith(t, program, `${modes}: Swarmd downloads`, (t) => downloadFrom(t, program, round, payload)),
    ];
  });
  await Promise.all(tests);
}

/** With a tracker they have to find each other by it. */
async function seedTo(
  t: Test,
  program: PeerProgram,
  { theirs, ours }: Round,
  payload: Payload,
  tracker: HttpTracker | null = null,
): Promise<void> {
  const torrentBytes = payload.torrent(tracker ? [tracker.announceUrl] : []);
  const target = await makeScratch('target', payload.totalBytes);
  t.teardown(() => target.remove());
  const leech = await program.start({ encryption: theirs });
  t.teardown(() => leech.close());
  const daemon = await startDaemon(ours ? { encryption: ours } : {});
  t.teardown(() => daemon.stop());
  const id = await daemon.addTorrentFile(torrentBytes, payload.directory);
  await daemon.waitFor(id, ({ completed, verifying }) => completed && !verifying, TIMEOUT_MS);

  if (tracker) await waitUntil('announced', TIMEOUT_MS, () => tracker.announces[0]);
  await leech.leech(torrentBytes, target.path);
  const introduce = async (): Promise<void> => {
    if (leech.addPeer) await leech.addPeer(daemon.peerPort);
    else if (!tracker) await daemon.addPeers(id, leech.address);
  };
  await introduce();
  let introducedMs = performance.now();
  let last = '';
  await waitUntil(
    `${program.name} having everything`,
    TIMEOUT_MS,
    async () => {
      const progress = await leech.progress();
      last = JSON.stringify(progress);
      // It refuses whoever comes before it has begun with the torrent, which takes it long where much runs beside it.
      if (progress.peers === 0 && !progress.isSeeding && performance.now() - introducedMs > INTRODUCE_AGAIN_MS) {
        introducedMs = performance.now();
        await introduce();
      }
      return progress.isSeeding || undefined;
    },
    () => `Last seen: ${last}\n${daemon.stderr.slice(-4_000)}`,
  );
  t.same(await digestsOf(payload, target.path), payload.digests, 'the same files');
  t.match(await daemon.stop(), { code: 0 }, 'ends in order');
}

async function downloadFrom(t: Test, program: PeerProgram, { theirs, ours }: Round, payload: Payload): Promise<void> {
  const seed = await program.start({ encryption: theirs });
  t.teardown(() => seed.close());
  const daemon = await startDaemon({ bytes: payload.totalBytes, ...(ours ? { encryption: ours } : {}) });
  t.teardown(() => daemon.stop());
  await seed.seed(payload.torrent(), payload.directory);

  const id = await daemon.addTorrentFile(payload.torrent());
  await daemon.addPeers(id, seed.address);
  await daemon.waitFor(id, ({ completed }) => completed, TIMEOUT_MS);
  t.same(await digestsOf(payload, daemon.savePath), payload.digests, 'the same files');
  t.match(await daemon.stop(), { code: 0 }, 'ends in order');
}
