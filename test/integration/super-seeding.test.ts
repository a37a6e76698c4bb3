// Super-seeding (BEP 16) to libtorrent: three leeches that know each other get everything from a seed that shows each of
// them one piece at a time, also where one of them stays alone; what was chosen is there after a restart.
import { join } from 'node:path';
import t from 'tap';
import { startDaemon, type DaemonUnderTest } from '../support/daemon.js';
import { libtorrent, testWith } from '../support/peers/index.js';
import { digestsOf, KIB, MIB, writePayload, type Payload } from '../support/peers/payload.js';
import { makeScratch, type Scratch } from '../support/peers/scratch.js';
import type { PeerClient } from '../support/peers/types.js';
import { waitUntil } from '../support/peers/wait-until.js';

const TIMEOUT_MS = 90_000;
const LEECHES = [0, 1, 2];

t.setTimeout(240_000);

void testWith(t, libtorrent, 'to three that pass on, then to one alone', async (t) => {
  const scratch = await makeScratch('super-seeding', 32 * MIB);
  t.teardown(() => scratch.remove());
  const payload = await writePayload(join(scratch.path, 'source'), 4 * MIB, 128 * KIB);
  const state = { dataDir: join(scratch.path, 'data'), savePath: join(scratch.path, 'files') };
  let daemon = await startDaemon(state);
  t.teardown(() => daemon.stop());
  const id = await daemon.addTorrentFile(payload.torrent(), payload.directory);
  const path = `/api/torrents/${id}/super_seeding`;
  t.match(await daemon.api('PUT', path, { enabled: true }), { status: 200 });
  await daemon.stop();
  daemon = await startDaemon(state);
  t.match(await daemon.api('GET', path), { status: 200, json: { enabled: true } });
  await daemon.waitFor(id, ({ completed, verifying }) => completed && !verifying, TIMEOUT_MS);

  const leeches = await Promise.all(LEECHES.map(() => libtorrent.start()));
  for (const leech of leeches) t.teardown(() => leech.close());
  for (const [index, leech] of leeches.entries()) await leech.leech(payload.torrent(), folder(scratch, index));
  for (const [index, leech] of leeches.entries()) {
    await leech.addPeer!(daemon.peerPort);
    for (const other of leeches.slice(index + 1)) await leech.addPeer!(other.port);
  }
  for (const [index, leech] of leeches.entries()) await hasAll(leech, payload, folder(scratch, index), daemon);
  t.pass('all three have everything');
  for (const leech of leeches) await leech.close();

  const alone = await libtorrent.start();
  t.teardown(() => alone.close());
  await alone.leech(payload.torrent(), folder(scratch, LEECHES.length));
  await alone.addPeer!(daemon.peerPort);
  await waitUntil('the first piece', TIMEOUT_MS, async () => (await alone.progress()).bytesDone > 0 || undefined);
  t.match(await daemon.api('PUT', path, { enabled: false }), { status: 200 });
  await hasAll(alone, payload, folder(scratch, LEECHES.length), daemon);
  t.match(await daemon.api('GET', path), { status: 200, json: { enabled: false } });
});

const folder = (scratch: Scratch, leech: number): string => join(scratch.path, `leech-${leech}`);

/** Fails unless its files are those of the payload in the end. */
async function hasAll(leech: PeerClient, payload: Payload, directory: string, daemon: DaemonUnderTest): Promise<void> {
  let last = '';
  await waitUntil(
    'a leech having everything',
    TIMEOUT_MS,
    async () => {
      const progress = await leech.progress();
      last = JSON.stringify(progress);
      return progress.isSeeding || undefined;
    },
    () => `Last seen: ${last}\n${daemon.stderr.slice(-4_000)}`,
  );
  const found = await digestsOf(payload, directory);
  if (JSON.stringify(found) !== JSON.stringify(payload.digests)) throw new Error('other files than those of the seed');
}
