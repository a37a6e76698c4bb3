// One seed and twenty leeches that give each other what they have: what each receives beyond the torrent, up to the end
// and after it, is next to nothing.
import t from 'tap';
import { SECOND_MS } from '../../engine/environment.js';
import { seededBytes } from '../support/make-torrent.js';
import { SimulatedSwarm } from '../support/simulated-swarm.js';

const KIB = 1024;
const LEECHES = 20;
const SEEDS = 1;
const MAY_WASTE = 0.01;
const PAYLOAD = seededBytes(1, 12 * KIB * KIB);
const OPTIONS = { pieceLength: 64 * KIB, latencyMs: 25, peersPerReply: LEECHES, windowBytes: 64 * KIB };
const ENGINE = { maxPeersPerTorrent: 40, slabBytes: 8 * KIB * KIB };
/** KiB/s each gives. */
const SPEEDS = [64, 256, 1_024];

void t.test(`a seed and ${LEECHES} leeches of mixed speeds`, { timeout: 120_000 }, async (t) => {
  for (let seed = 1; seed <= SEEDS; seed++) {
    const swarm = new SimulatedSwarm(seed, { ...OPTIONS, payload: PAYLOAD, payloadBytes: PAYLOAD.length });
    await swarm.join('seed', { engine: ENGINE, uploadBytesPerSec: KIB * KIB });
    for (let leech = 0; leech < LEECHES; leech++) {
      const uploadBytesPerSec = SPEEDS[swarm.random.below(SPEEDS.length)]! * KIB;
      await swarm.join('leech', { engine: ENGINE, uploadBytesPerSec });
    }
    const leeches = swarm.nodes.slice(1);
    const done = await swarm.run(600 * SECOND_MS, () => leeches.every((node) => node.isComplete), SECOND_MS);
    t.ok(done, `seed ${seed}: complete after ${swarm.clock.nowMs() / SECOND_MS} s`);
    await swarm.run(10 * SECOND_MS, () => false, SECOND_MS);
    const wastes = leeches.map((node) => node.receivedBytes / PAYLOAD.length - 1);
    const percent = wastes.map((waste) => (100 * waste).toFixed(2));
    t.ok(
      wastes.every((waste) => waste <= MAY_WASTE),
      `seed ${seed}: ${percent.join()} % received twice`,
    );
    await swarm.stop();
  }
});
