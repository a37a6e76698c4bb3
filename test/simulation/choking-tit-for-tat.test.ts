// Tit for tat with a whole engine: those who give most hold its regular slots, whatever chance the optimistic slot
// brings; and no peer ever sees its unchoke taken back within ten seconds (BEP 3, fibrillation).
import t from 'tap';
import { SECOND_MS } from '../../engine/environment.js';
import { seededBytes } from '../support/make-torrent.js';
import { ChokingSwarm, shortestTurnMs } from './choking-swarm.js';

const KIB = 1024;
const SLOTS = 4;
/** KiB/s that each peer gives: as many give most as there are regular slots. */
const GIVERS = [0, 0, 50, 50, 100, 100, 200, 200, 200];
const WARM_UP_MS = 60 * SECOND_MS;
const MEASURED_MS = 90 * SECOND_MS;
const SEEDS = 10;
const PAYLOAD = seededBytes(1, 150 * KIB * KIB);

void t.test('who gives 200 KiB/s holds a slot at least 90 % of the time', { timeout: 120_000 }, async (t) => {
  for (let seed = 1; seed <= SEEDS; seed++) {
    const swarm = await ChokingSwarm.create(seed, { engineIs: 'leech', slots: SLOTS, payload: PAYLOAD });
    const { random } = swarm.swarm;
    const rates = GIVERS.map((rate) => rate * KIB);
    while (rates.length > 0) {
      const [giveBytesPerSec = 0] = rates.splice(random.below(rates.length), 1);
      swarm.join({ has: 'everything', giveBytesPerSec, takeBlocksPerSec: 1 });
      await swarm.run(50 * random.below(40));
    }
    await swarm.run(WARM_UP_MS);
    const fromMs = swarm.nowMs;
    await swarm.run(MEASURED_MS);
    const share = (kib: number): number[] =>
      swarm.peers
        .filter((peer) => peer.giveBytesPerSec === kib * KIB)
        .map((peer) => peer.unchokedMs(fromMs, swarm.nowMs) / MEASURED_MS);
    t.ok(
      share(200).every((of) => of >= 0.9),
      `seed ${seed}: ${share(200).join()} of the time; 100: ${share(100).join()}, 50: ${share(50).join()}`,
    );
    t.ok(
      [0, 50, 100].every((kib) => share(kib).every((of) => of <= 0.67)),
      `seed ${seed}: the others have turns of the optimistic slot`,
    );
    t.ok(swarm.mostUnchoked <= SLOTS, `seed ${seed}: ${swarm.mostUnchoked} unchoked at once`);
    t.ok(shortestTurnMs(swarm.peers) >= 10 * SECOND_MS, `seed ${seed}: no turn below 10 s`);
    t.notOk(swarm.node.isComplete, `seed ${seed}: still a leech`);
    await swarm.stop();
  }
});
