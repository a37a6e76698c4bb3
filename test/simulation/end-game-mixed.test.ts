// The end of a download from fifty peers of mixed speeds: the fast ones help out the slow ones, and next to nothing
// comes twice (docs/limits.md 2.15).
import t from 'tap';
import { SECOND_MS } from '../../engine/environment.js';
import { seededBytes } from '../support/make-torrent.js';
import { EndGameSwarm } from './end-game-swarm.js';

const KIB = 1024;
const PEERS = 50;
const MAY_WASTE = 0.01;
const PAYLOAD = seededBytes(1, 80 * KIB * KIB);
const SLAB_BYTES = 32 * KIB * KIB;
/** KiB/s, from a modem to a fast line. */
const SPEEDS = [4, 16, 64, 256, 1_024];

void t.test(`${PEERS} peers of mixed speeds`, { timeout: 120_000 }, async (t) => {
  for (let seed = 1; seed <= 3; seed++) {
    const swarm = await EndGameSwarm.create(seed, { payload: PAYLOAD, slabBytes: SLAB_BYTES });
    const { random } = swarm.swarm;
    let speed = 0;
    for (let peer = 0; peer < PEERS; peer++) {
      const kib = SPEEDS[random.below(SPEEDS.length)]! * (0.5 + random.below(100) / 100);
      speed += kib * KIB;
      swarm.join(kib * KIB);
    }
    t.ok(await swarm.complete(300 * SECOND_MS), `seed ${seed}: complete`);
    t.ok(swarm.waste <= MAY_WASTE, `seed ${seed}: ${(100 * swarm.waste).toFixed(2)} % received twice`);
    const idealMs = (PAYLOAD.length * 1_000) / speed;
    t.ok(swarm.nowMs < 2 * idealMs + 5 * SECOND_MS, `seed ${seed}: ${swarm.nowMs} ms, ${idealMs | 0} at the very best`);
    await swarm.stop();
  }
});
