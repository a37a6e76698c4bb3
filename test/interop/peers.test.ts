// The other programs among themselves: when this fails, the fault is in the drivers or the machine, not in Swarmd.
import t from 'tap';
import { aria2, libtorrent, testWith, transmission } from '../support/peers/index.js';
import { digestsOf, KIB, MIB, writePayload } from '../support/peers/payload.js';
import { makeScratch } from '../support/peers/scratch.js';
import { waitUntil } from '../support/peers/wait-until.js';

void testWith(t, libtorrent, 'libtorrent fetches from the others', async (t) => {
  const bytes = 8 * MIB + 5;
  const source = await makeScratch('source', bytes);
  t.teardown(() => source.remove());
  const payload = await writePayload(source.path, bytes, 256 * KIB);
  for (const program of [libtorrent, aria2, transmission]) {
    await testWith(t, program, program.name, async (t) => {
      const target = await makeScratch('target', bytes);
      t.teardown(() => target.remove());
      const seed = await program.start();
      t.teardown(() => seed.close());
      const leech = await libtorrent.start();
      t.teardown(() => leech.close());
      await seed.seed(payload.torrent(), payload.directory);
      await leech.leech(payload.torrent(), target.path);
      await leech.addPeer?.(seed.port);
      await waitUntil('everything', 30_000, async () => (await leech.progress()).isSeeding || undefined);
      t.same(await digestsOf(payload, target.path), payload.digests);
    });
  }
});
