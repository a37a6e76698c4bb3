// A real peer that is banned while it seeds: cut off at once, of no use however often it is named, and let in again.
import t from 'tap';
import { startDaemon } from '../support/daemon.js';
import { libtorrent, testWith } from '../support/peers/index.js';
import { digestsOf, KIB, MIB, writePayload } from '../support/peers/payload.js';
import { makeScratch } from '../support/peers/scratch.js';
import { waitUntil } from '../support/peers/wait-until.js';

const BYTES = 8 * MIB;
const TIMEOUT_MS = 60_000;
const HOST = '127.0.0.2';

t.setTimeout(180_000);

void testWith(t, libtorrent, 'libtorrent is banned while it seeds', async (t) => {
  const source = await makeScratch('source', BYTES);
  t.teardown(() => source.remove());
  const payload = await writePayload(source.path, BYTES, MIB);
  const torrentBytes = payload.torrent();
  const seed = await libtorrent.start({ host: HOST, uploadBytesPerSec: 512 * KIB });
  t.teardown(() => seed.close());
  await seed.seed(torrentBytes, payload.directory);
  const daemon = await startDaemon({ bytes: BYTES });
  t.teardown(() => daemon.stop());
  const isAlone = () =>
    waitUntil('no peer is left', TIMEOUT_MS, async () => (await seed.progress()).peers === 0 || undefined);
  const id = await daemon.addTorrentFile(torrentBytes);

  await daemon.addPeers(id, seed.address);
  await daemon.waitFor(id, ({ bytes_done }) => bytes_done > 0, TIMEOUT_MS);
  t.match(await daemon.api('POST', '/api/bans', { addresses: [HOST] }), { status: 200, json: { added: 1 } });
  await isAlone();
  await daemon.waitFor(id, ({ peers }) => peers === 0, TIMEOUT_MS);
  const named = await daemon.api('POST', `/api/torrents/${id}/peers`, { peers: [seed.address] });
  t.match(named.json, { added: 0 });
  t.equal((await daemon.torrent(id)).completed, false);

  await daemon.api('DELETE', '/api/bans', { addresses: [HOST] });
  await daemon.addPeers(id, seed.address);
  await daemon.waitFor(id, ({ completed }) => completed, TIMEOUT_MS);
  t.same(await digestsOf(payload, daemon.savePath), payload.digests);
});
