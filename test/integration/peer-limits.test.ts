// Bounds of one torrent on connections and slots, over a daemon with libtorrent: one of two leeches is connected and served
// at a time, both get everything, and the bounds are there after a restart.
import { join } from 'node:path';
import t from 'tap';
import { startDaemon } from '../support/daemon.js';
import { libtorrent, testWith } from '../support/peers/index.js';
import { digestsOf, MIB, writePayload } from '../support/peers/payload.js';
import { makeScratch } from '../support/peers/scratch.js';
import { waitUntil } from '../support/peers/wait-until.js';

const TIMEOUT_MS = 60_000;
const LIMITS = { max_peers: 1, upload_slots: 1 };

t.setTimeout(180_000);

void testWith(t, libtorrent, 'one connection and one slot at a time', async (t) => {
  const scratch = await makeScratch('peer-limits', 32 * MIB);
  t.teardown(() => scratch.remove());
  const payload = await writePayload(join(scratch.path, 'source'), 4 * MIB, MIB);
  const state = { dataDir: join(scratch.path, 'data'), savePath: join(scratch.path, 'files') };
  let daemon = await startDaemon(state);
  t.teardown(() => daemon.stop());
  const id = await daemon.addTorrentFile(payload.torrent(), payload.directory);
  t.match(await daemon.api('PUT', `/api/torrents/${id}/peer_limits`, LIMITS), { status: 200 });
  await daemon.stop();
  daemon = await startDaemon(state);
  t.match(await daemon.api('GET', `/api/torrents/${id}/peer_limits`), { status: 200, json: LIMITS });
  await daemon.waitFor(id, ({ completed }) => completed, TIMEOUT_MS);
  // So that each second's figures show who is connected meanwhile.
  await daemon.api('PUT', `/api/torrents/${id}/rate_limits`, { down_kbps: 0, up_kbps: 1_500 });
  let most = 0;
  const leeches = await Promise.all([1, 2].map(() => libtorrent.start()));
  for (const leech of leeches) t.teardown(() => leech.close());
  for (const [index, leech] of leeches.entries()) {
    await leech.leech(payload.torrent(), join(scratch.path, `leech-${index}`));
  }
  for (const [index, leech] of leeches.entries()) {
    await waitUntil('a leech having everything', TIMEOUT_MS, async () => {
      const { peers } = await daemon.torrent(id);
      most = Math.max(most, peers);
      const { isSeeding, peers: connected } = await leech.progress();
      // A place may just have been taken by the other one.
      if (!isSeeding && connected === 0) await leech.addPeer!(daemon.peerPort);
      return isSeeding || undefined;
    });
    t.same(await digestsOf(payload, join(scratch.path, `leech-${index}`)), payload.digests);
  }
  t.equal(most, 1);
});
