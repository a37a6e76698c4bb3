// Other programs download from Swarmd, which finds the files where it is told to save them, checks and serves them.
import t, { type Test } from 'tap';
import { startDaemon } from '../support/daemon.js';
import { aria2, libtorrent, testWith, transmission, type PeerProgram } from '../support/peers/index.js';
import { digestsOf, MIB, writePayload, type Payload } from '../support/peers/payload.js';
import { makeScratch } from '../support/peers/scratch.js';
import { waitUntil } from '../support/peers/wait-until.js';

const GIB = 1024 * MIB;
const CHECK_TIMEOUT_MS = 30_000;
const DOWNLOAD_TIMEOUT_MS = 90_000;

t.setTimeout(300_000);

void t.test('seeding 1 GiB', async (t) => {
  const payload = await seedPayload(t, GIB);
  for (const program of [libtorrent, aria2]) {
    await testWith(t, program, `to ${program.name}`, (t) => seedTo(t, program, payload));
  }
});

// Transmission 3.00 downloads at 17 MB/s over loopback, whoever uploads: a gigabyte would take a minute.
void t.test('seeding 64 MiB', async (t) => {
  const payload = await seedPayload(t, 64 * MIB);
  await testWith(t, transmission, `to ${transmission.name}`, (t) => seedTo(t, transmission, payload));
});

async function seedPayload(t: Test, bytes: number): Promise<Payload> {
  const source = await makeScratch('source', bytes);
  t.teardown(() => source.remove());
  return writePayload(source.path, bytes, MIB);
}

async function seedTo(t: Test, program: PeerProgram, payload: Payload): Promise<void> {
  const torrentBytes = payload.torrent();
  const target = await makeScratch('target', payload.totalBytes);
  t.teardown(() => target.remove());
  const leech = await program.start();
  t.teardown(() => leech.close());
  const daemon = await startDaemon();
  t.teardown(() => daemon.stop());

  const id = await daemon.addTorrentFile(torrentBytes, payload.directory);
  const found = await daemon.waitFor(id, ({ completed, verifying }) => completed && !verifying, CHECK_TIMEOUT_MS);
  t.match(found, { progress: 1, bytes_done: payload.totalBytes, save_path: payload.directory });

  await leech.leech(torrentBytes, target.path);
  // The one that can be told connects to us, so that both directions of connections are covered.
  if (leech.addPeer) await leech.addPeer(daemon.peerPort);
  else await daemon.addPeers(id, leech.address);
  let last = '';
  await waitUntil(
    `${program.name} having everything`,
    DOWNLOAD_TIMEOUT_MS,
    async () => {
      const progress = await leech.progress();
      last = JSON.stringify(progress);
      return progress.isSeeding || undefined;
    },
    () => `Last seen: ${last}\n${daemon.stderr.slice(-4_000)}`,
  );

  t.same(await digestsOf(payload, target.path), payload.digests, 'the same files');
  t.same(await digestsOf(payload, payload.directory), payload.digests, 'ours are untouched');
  t.match(await daemon.stop(), { code: 0 }, 'ends in order');
}
