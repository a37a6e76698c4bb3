// Optimistic slots go round: 20 interested peers and one slot, a seed's and a leech's, for half an hour of virtual time.
// libtorrent's own simulation asserts the same: everybody's time unchoked within 1.5 s of the mean.
import t from 'tap';
import { SECOND_MS } from '../../engine/environment.js';
import { seededBytes } from '../support/make-torrent.js';
import { ChokingSwarm, shortestTurnMs } from './choking-swarm.js';

const PEERS = 20;
const HALF_HOUR_MS = 1_800 * SECOND_MS;
const MAY_DIFFER_MS = 1_500;
const PAYLOAD = seededBytes(1, 40 * 1024 * 1024);
const SEEDS = 6;

for (const engineIs of ['seed', 'leech'] as const)
  void t.test(`one slot of a ${engineIs}, ${PEERS} interested peers: equal turns`, { timeout: 120_000 }, async (t) => {
    for (let seed = 1; seed <= SEEDS; seed++) {
      const swarm = await ChokingSwarm.create(seed, { engineIs, slots: 1, payload: PAYLOAD });
      // Peers come as the engine starts and are watched from the first unchoke on, or come between two rounds of its
      // clock and are watched from any time on.
      const isLate = seed % 2 === 0;
      if (isLate) await swarm.run(20 * (1 + swarm.swarm.random.below(500)));
      for (let peer = 0; peer < PEERS; peer++) {
        // Who gives to a leech, and how much, must not matter to the one slot it has.
        swarm.join(
          engineIs === 'seed'
            ? { has: 'nothing', takeBlocksPerSec: 0.2 }
            : { has: 'everything', giveBytesPerSec: [0, 512, 1_024, 2_048][peer % 4]! },
        );
      }
      await swarm.run(isLate ? 40 * SECOND_MS : SECOND_MS);
      const firstMs = Math.min(...swarm.peers.flatMap(({ turns }) => turns.map((turn) => turn.fromMs)));
      const fromMs = isLate ? swarm.nowMs : firstMs;
      await swarm.run(HALF_HOUR_MS + fromMs - swarm.nowMs);
      const times = swarm.peers.map((peer) => peer.unchokedMs(fromMs, fromMs + HALF_HOUR_MS));
      const mean = times.reduce((sum, ms) => sum + ms, 0) / PEERS;
      const worst = Math.max(...times.map((ms) => Math.abs(ms - mean)));
      t.ok(worst <= MAY_DIFFER_MS, `seed ${seed}: ${worst} ms off the mean of ${mean}: ${times.join()}`);
      t.ok(mean > 0.99 * (HALF_HOUR_MS / PEERS), `seed ${seed}: the slot is never idle`);
      t.equal(swarm.mostUnchoked, 1, `seed ${seed}: never more than one at once`);
      t.ok(shortestTurnMs(swarm.peers) >= 10 * SECOND_MS, `seed ${seed}: no turn below 10 s`);
      t.ok(
        swarm.peers.every((peer) => peer.closed === null),
        `seed ${seed}: nobody was dropped`,
      );
      await swarm.stop();
    }
  });
