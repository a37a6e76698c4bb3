// A new torrent in a swarm that nobody has a copy of: super-seeding costs its seed less than seeding does, and all get
// everything.
import t, { type Test } from 'tap';
import { SimulatedSwarm } from '../support/simulated-swarm.js';

const KIB = 1024;
const PAYLOAD_BYTES = 2 * KIB * KIB;
const LEECHES = 3;
const MAX_MS = 15 * 60_000;

/** Bytes that the seed sent until each leech had everything. */
async function sentBySeed(t: Test, seed: number, isSuper: boolean): Promise<number> {
  const swarm = new SimulatedSwarm(seed, {
    pieceLength: 64 * KIB,
    payloadBytes: PAYLOAD_BYTES,
    latencyMs: 10,
    peersPerReply: 10,
  });
  const options = { uploadBytesPerSec: 256 * KIB };
  const source = await swarm.join('seed', options);
  await swarm.run(MAX_MS, () => source.isComplete);
  if (isSuper) await source.setSuperSeeding(true);
  for (let leech = 0; leech < LEECHES; leech++) await swarm.join('leech', options);
  const isDone = await swarm.run(MAX_MS, () => swarm.nodes.every((node) => node.isComplete));
  t.ok(isDone && swarm.nodes.every((node) => node.hasPayload), `seed ${seed}: all have everything`);
  const sent = source.sentBytes;
  await swarm.stop();
  return sent;
}

for (const seed of [1, 2, 3]) {
  void t.test(`seed ${seed}`, async (t) => {
    const [plain, frugal] = [await sentBySeed(t, seed, false), await sentBySeed(t, seed, true)];
    t.comment(
      `copies sent: ${(plain / PAYLOAD_BYTES).toFixed(2)} by seeding, ${(frugal / PAYLOAD_BYTES).toFixed(2)} by super-seeding`,
    );
    t.ok(frugal >= PAYLOAD_BYTES, 'nobody else had it');
    t.ok(frugal < plain, 'less than it would have cost');
    t.ok(frugal < 1.25 * PAYLOAD_BYTES, 'little more than one copy');
  });
}
