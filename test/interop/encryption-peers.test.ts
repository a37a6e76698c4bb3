// Encryption of the other programs among themselves: each does what its driver says, `required` above all, or
// encryption.test.ts would prove nothing. libtorrent dials, as it is the one that can be told to.
import t, { type Test } from 'tap';
import { setTimeout as sleep } from 'node:timers/promises';
import {
  aria2,
  libtorrent,
  testWith,
  transmission,
  type PeerClient,
  type PeerProgram,
  type PeerStartOptions,
} from '../support/peers/index.js';
import { digestsOf, KIB, MIB, writePayload, type Payload } from '../support/peers/payload.js';
import { makeScratch } from '../support/peers/scratch.js';
import { waitUntil } from '../support/peers/wait-until.js';

const TOTAL_BYTES = 2 * MIB + 5;
const TIMEOUT_MS = 30_000;
/** libtorrent dials at once, and again without encryption where it may. */
const REFUSAL_MS = 2_000;

t.setTimeout(180_000);

void testWith(t, libtorrent, 'encryption among the others', async (t) => {
  // Most of the time is spent waiting for Transmission's rounds of choking.
  t.jobs = 10;
  const source = await makeScratch('source', TOTAL_BYTES);
  t.teardown(() => source.remove());
  const payload = await writePayload(source.path, TOTAL_BYTES, 64 * KIB);
  for (const program of [libtorrent, aria2, transmission]) {
    void testWith(t, program, `${program.name} requires it: libtorrent requiring it seeds to it`, async (t) => {
      const { target, leech } = await introduce(t, payload, [program, { encryption: 'required' }], 'required');
      await waitUntil('everything', TIMEOUT_MS, async () => (await leech.progress()).isSeeding || undefined);
      t.same(await digestsOf(payload, target), payload.digests);
    });
    void testWith(t, program, `${program.name} requires it: plain libtorrent gets nowhere`, async (t) => {
      const { seed, leech } = await introduce(t, payload, [program, { encryption: 'required' }], 'plain');
      await sleep(REFUSAL_MS);
      t.match(await leech.progress(), { bytesDone: 0 });
      t.match(await seed.progress(), { peers: 0 });
    });
    void testWith(t, program, `${program.name} plain: plain libtorrent seeds to it`, async (t) => {
      const { target, leech } = await introduce(t, payload, [program, { encryption: 'plain' }], 'plain');
      await waitUntil('everything', TIMEOUT_MS, async () => (await leech.progress()).isSeeding || undefined);
      t.same(await digestsOf(payload, target), payload.digests);
    });
  }

  void t.test('plain libtorrent refuses libtorrent that requires it', async (t) => {
    const { seed, leech } = await introduce(t, payload, [libtorrent, { encryption: 'plain' }], 'required');
    await sleep(REFUSAL_MS);
    t.match(await leech.progress(), { bytesDone: 0, peers: 0, encryptedPeers: 0 });
    t.match(await seed.progress(), { peers: 0, encryptedPeers: 0 });
  });
});

/** libtorrent with everything dials the other, which has nothing. */
async function introduce(
  t: Test,
  payload: Payload,
  [program, options]: readonly [PeerProgram, PeerStartOptions],
  encryption: 'plain' | 'required',
): Promise<{ readonly seed: PeerClient; readonly leech: PeerClient; readonly target: string }> {
  const target = await makeScratch('target', TOTAL_BYTES);
  t.teardown(() => target.remove());
  const leech = await program.start(options);
  t.teardown(() => leech.close());
  const seed = await libtorrent.start({ encryption });
  t.teardown(() => seed.close());
  await seed.seed(payload.torrent(), payload.directory);
  await leech.leech(payload.torrent(), target.path);
  await seed.addPeer?.(leech.port);
  return { seed, leech, target: target.path };
}
