// Peers over IPv6: two whole daemons that know each other by the loopback address of IPv6 only.
import { networkInterfaces } from 'node:os';
import t from 'tap';
import { startDaemon } from '../support/daemon.js';
import { digestsOf, KIB, MIB, writePayload } from '../support/peers/payload.js';
import { makeScratch } from '../support/peers/scratch.js';

const TIMEOUT_MS = 30_000;
const BYTES = 4 * MIB;
const hasIpv6 = Object.values(networkInterfaces()).some((addresses) =>
  addresses?.some(({ address }) => address === '::1'),
);

void t.test('a download over IPv6', { skip: !hasIpv6 && 'this machine has no IPv6' }, async (t) => {
  const source = await makeScratch('source', BYTES);
  t.teardown(() => source.remove());
  const payload = await writePayload(source.path, BYTES, 256 * KIB);
  const [seed, leech] = await Promise.all([startDaemon(), startDaemon({ bytes: BYTES })]);
  t.teardown(() => Promise.all([seed.stop(), leech.stop()]));
  const id = await seed.addTorrentFile(payload.torrent(), payload.directory);
  await seed.waitFor(id, ({ completed, verifying }) => completed && !verifying, TIMEOUT_MS);

  await leech.addTorrentFile(payload.torrent());
  await leech.addPeers(id, `[::1]:${seed.peerPort}`);
  await leech.waitFor(id, ({ completed }) => completed, TIMEOUT_MS);
  t.same(await digestsOf(payload, leech.savePath), payload.digests, 'the same files');
});
