// A seed's slots go round among those who take equally fast: who came first or was lucky must not keep one for ever.
import t from 'tap';
import { SECOND_MS } from '../../engine/environment.js';
import { seededBytes } from '../support/make-torrent.js';
import { ChokingSwarm, shortestTurnMs } from './choking-swarm.js';

const LEECHERS = 40;
const SLOTS = 8;
const HALF_HOUR_MS = 1_800 * SECOND_MS;
const MAY_DIFFER = 0.25;
const PAYLOAD = seededBytes(1, 8 * 1024 * 1024);

void t.test(`a seed with ${SLOTS} slots and ${LEECHERS} leechers of equal speed`, { timeout: 120_000 }, async (t) => {
  for (let seed = 1; seed <= 3; seed++) {
    const swarm = await ChokingSwarm.create(seed, { engineIs: 'seed', slots: SLOTS, payload: PAYLOAD });
    for (let leecher = 0; leecher < LEECHERS; leecher++) {
      swarm.join({ has: 'nothing', takeBlocksPerSec: 1 });
      await swarm.run(50 * swarm.swarm.random.below(20));
    }
    await swarm.run(HALF_HOUR_MS);
    const taken = swarm.peers.map((peer) => peer.takenBytes);
    const mean = taken.reduce((sum, bytes) => sum + bytes, 0) / LEECHERS;
    const worst = Math.max(...taken.map((bytes) => Math.abs(bytes / mean - 1)));
    t.ok(
      worst <= MAY_DIFFER,
      `seed ${seed}: ${worst} off the mean: ${taken.map((bytes) => bytes >> 14).join()} blocks`,
    );
    t.ok(mean * LEECHERS > 0.95 * SLOTS * 1_800 * 16_384, `seed ${seed}: no slot is idle`);
    t.ok(swarm.mostUnchoked <= SLOTS, `seed ${seed}: ${swarm.mostUnchoked} unchoked at once`);
    t.ok(shortestTurnMs(swarm.peers) >= 10 * SECOND_MS, `seed ${seed}: no turn below 10 s`);
    await swarm.stop();
  }
});
