// The end of a download when one peer is fast and the others have stalled: what was asked of them is asked of the fast
// one soon (docs/limits.md 2.15: complete within 25 s of the last block that came of itself), and next to nothing
// twice.
import t from 'tap';
import { SECOND_MS } from '../../engine/environment.js';
import { seededBytes } from '../support/make-torrent.js';
import { EndGameSwarm } from './end-game-swarm.js';

const KIB = 1024;
const STALLED = 9;
const MAY_TAKE_MS = 25 * SECOND_MS;
const MAY_WASTE = 0.01;
const PAYLOAD = seededBytes(1, 16 * KIB * KIB);
const AMPLE_SLAB = 16 * KIB * KIB;
const SMALL_SLAB = KIB * KIB;

/** `silent`: never a block. `dying`: each gives for a while, then stops. */
for (const kind of ['silent', 'dying'] as const)
  void t.test(`one fast peer and ${STALLED} ${kind} ones`, { timeout: 120_000 }, async (t) => {
    for (let seed = 1; seed <= 8; seed++) {
      // Room for everything that may be outstanding; or, among the silent, for little of it.
      const slabBytes = kind === 'silent' && seed % 2 === 0 ? SMALL_SLAB : AMPLE_SLAB;
      const swarm = await EndGameSwarm.create(seed, { payload: PAYLOAD, slabBytes });
      const { random } = swarm.swarm;
      for (let peer = 0; peer < STALLED; peer++) {
        const gives = kind === 'silent' ? 0 : (50 + random.below(200)) * KIB;
        const stalled = swarm.join(gives);
        if (gives > 0) swarm.clock.after(500 + random.below(6_000), () => (stalled.giveBytesPerSec = 0));
      }
      swarm.join(1_000 * KIB);
      t.ok(await swarm.complete(300 * SECOND_MS), `seed ${seed}: complete`);
      const tookMs = swarm.nowMs - swarm.lastFirstAskedMs;
      t.ok(tookMs <= MAY_TAKE_MS, `seed ${seed}: ${tookMs} ms after the last block that had not stalled`);
      t.ok(swarm.waste <= MAY_WASTE, `seed ${seed}: ${(100 * swarm.waste).toFixed(2)} % received twice`);
      await swarm.stop();
    }
  });
