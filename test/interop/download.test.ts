// Swarmd downloads from other programs: added by upload, the peer by hand; every file the same to the byte.
import t, { type Test } from 'tap';
import { startDaemon } from '../support/daemon.js';
import { aria2, libtorrent, testWith, transmission, type PeerProgram } from '../support/peers/index.js';
import { digestsOf, MIB, writePayload, type Payload } from '../support/peers/payload.js';
import { makeScratch } from '../support/peers/scratch.js';

const GIB = 1024 * MIB;
const DOWNLOAD_TIMEOUT_MS = 90_000;

t.setTimeout(300_000);

void t.test('downloading 1 GiB', async (t) => {
  const payload = await seedPayload(t, GIB);
  for (const program of [libtorrent, aria2]) {
    await testWith(t, program, `from ${program.name}`, (t) => downloadFrom(t, program, payload));
  }
});

// Transmission 3.00 uploads at 17 MB/s over loopback, whoever downloads: a gigabyte would take a minute.
void t.test('downloading 64 MiB', async (t) => {
  const payload = await seedPayload(t, 64 * MIB);
  await testWith(t, transmission, `from ${transmission.name}`, (t) => downloadFrom(t, transmission, payload));
});

async function seedPayload(t: Test, bytes: number): Promise<Payload> {
  const source = await makeScratch('source', bytes);
  t.teardown(() => source.remove());
  return writePayload(source.path, bytes, MIB);
}

async function downloadFrom(t: Test, program: PeerProgram, payload: Payload): Promise<void> {
  const torrentBytes = payload.torrent();
  const seed = await program.start();
  t.teardown(() => seed.close());
  const daemon = await startDaemon({ bytes: payload.totalBytes });
  t.teardown(() => daemon.stop());
  await seed.seed(torrentBytes, payload.directory);

  const id = await daemon.addTorrentFile(torrentBytes);
  t.equal(id, payload.infoHash, 'the id is the info hash');
  await daemon.addPeers(id, seed.address);
  const done = await daemon.waitFor(id, ({ completed }) => completed, DOWNLOAD_TIMEOUT_MS);

  t.match(done, { progress: 1, bytes_done: payload.totalBytes, total_bytes: payload.totalBytes, name: payload.name });
  t.same(await digestsOf(payload, daemon.savePath), payload.digests, 'the same files');
  t.match(await daemon.stop(), { code: 0 }, 'ends in order');
}
