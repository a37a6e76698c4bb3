// Magnets that name a peer and nothing else (BEP 9, x.pe): the info dictionary comes from the peer, both ways. It is
// larger than one metadata message.
import t, { type Test } from 'tap';
import { startDaemon } from '../support/daemon.js';
import { libtorrent, testWith, transmission, type PeerClient } from '../support/peers/index.js';
import { digestsOf, KIB, MIB, writePayload, type Payload } from '../support/peers/payload.js';
import { makeScratch } from '../support/peers/scratch.js';
import { waitUntil } from '../support/peers/wait-until.js';

const TOTAL_BYTES = 20 * MIB + 11;
const PIECE_LENGTH = 16 * KIB;
const TIMEOUT_MS = 60_000;

t.setTimeout(240_000);

void testWith(t, libtorrent, 'Swarmd fetches from libtorrent', async (t) => {
  const payload = await seedPayload(t);
  const seed = await libtorrent.start();
  t.teardown(() => seed.close());
  const daemon = await startDaemon({ bytes: TOTAL_BYTES });
  t.teardown(() => daemon.stop());
  await seed.seed(payload.torrent(), payload.directory);

  const id = await daemon.addMagnet(payload.magnet({ peers: [seed.address] }));
  t.equal(id, payload.infoHash);
  const done = await daemon.waitFor(id, ({ completed }) => completed, TIMEOUT_MS);
  t.match(done, { name: payload.name, total_bytes: TOTAL_BYTES, progress: 1 });
  t.same(await digestsOf(payload, daemon.savePath), payload.digests, 'the same files');
});

void testWith(t, libtorrent, 'libtorrent fetches from Swarmd', async (t) => {
  const { leech, fetched } = await serveMagnet(t, () => libtorrent.start());
  await fetched(({ peerAddress, payload, target }) => leech.leech(payload.magnet({ peers: [peerAddress] }), target));
});

// Transmission 3.00 ignores x.pe: Swarmd connects to it instead.
void testWith(t, transmission, 'Transmission fetches from Swarmd', async (t) => {
  const { leech, fetched } = await serveMagnet(t, () => transmission.start());
  await fetched(async ({ payload, target, introduce }) => {
    await leech.leech(payload.magnet(), target);
    await introduce();
  });
});

interface Served {
  readonly payload: Payload;
  readonly target: string;
  /** Where Swarmd listens. */
  readonly peerAddress: string;
  /** Swarmd connects to the other. */
  introduce(): Promise<void>;
}

async function serveMagnet(t: Test, start: () => Promise<PeerClient>) {
  const payload = await seedPayload(t);
  const target = await makeScratch('target', TOTAL_BYTES);
  t.teardown(() => target.remove());
  const leech = await start();
  t.teardown(() => leech.close());
  const daemon = await startDaemon();
  t.teardown(() => daemon.stop());
  const id = await daemon.addTorrentFile(payload.torrent(), payload.directory);
  await daemon.waitFor(id, ({ completed, verifying }) => completed && !verifying, TIMEOUT_MS);
  return {
    leech,
    async fetched(begin: (served: Served) => Promise<void>) {
      const introduce = (): Promise<void> => daemon.addPeers(id, leech.address);
      await begin({ payload, target: target.path, peerAddress: daemon.peerAddress, introduce });
      await waitUntil(
        'everything',
        TIMEOUT_MS,
        async () => (await leech.progress()).isSeeding || undefined,
        () => daemon.stderr.slice(-4_000),
      );
      t.same(await digestsOf(payload, target.path), payload.digests, 'the same files');
    },
  };
}

async function seedPayload(t: Test): Promise<Payload> {
  const source = await makeScratch('source', TOTAL_BYTES);
  t.teardown(() => source.remove());
  return writePayload(source.path, TOTAL_BYTES, PIECE_LENGTH);
}
