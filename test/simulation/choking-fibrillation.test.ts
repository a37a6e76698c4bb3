// BEP 3 on fibrillation: however peers come, go, lose interest and change their pace, none sees its unchoke taken back
// within ten seconds, and no more are unchoked at once than there are slots.
import t from 'tap';
import { SECOND_MS } from '../../engine/environment.js';
import { seededBytes } from '../support/make-torrent.js';
import type { SeededRandom } from '../support/seeded-random.js';
import { ChokingSwarm, shortestTurnMs } from './choking-swarm.js';

const SEEDS = 12;
const CHANGES = 200;
const MAX_PEERS = 30;
const PAYLOAD = seededBytes(1, 32 * 1024 * 1024);
/** Fixed, and left to the rate, which the comings and goings swing up and down. */
const SLOTS = [1, 3, 8, { min: 2, max: 12 }];

for (const engineIs of ['seed', 'leech'] as const)
  void t.test(`a ${engineIs} among restless peers never chokes within 10 s`, { timeout: 120_000 }, async (t) => {
    for (let seed = 1; seed <= SEEDS; seed++) {
      const slots = SLOTS[seed % SLOTS.length]!;
      const swarm = await ChokingSwarm.create(seed, { engineIs, slots, payload: PAYLOAD });
      const { random } = swarm.swarm;
      for (let change = 0; change < CHANGES; change++) {
        disturb(swarm, random);
        await swarm.run(20 * (1 + random.below(100)));
      }
      const most = typeof slots === 'number' ? slots : slots.max;
      t.ok(swarm.mostUnchoked <= most, `seed ${seed}: ${swarm.mostUnchoked} of ${most} unchoked at once`);
      const shortestMs = shortestTurnMs(swarm.peers);
      t.ok(shortestMs >= 10 * SECOND_MS, `seed ${seed}: choked ${shortestMs} ms after the unchoke`);
      t.ok(shortestMs < Infinity, `seed ${seed}: somebody was choked again`);
      await swarm.stop();
    }
  });

function disturb(swarm: ChokingSwarm, random: SeededRandom): void {
  const present = swarm.peers.filter((peer) => peer.closed === null);
  const peer = present[random.below(present.length)];
  const what = random.below(10);
  if (!peer || (what < 3 && present.length < MAX_PEERS)) {
    const has = random.below(2) === 0 ? 'everything' : 'nothing';
    swarm.join({ has, giveBytesPerSec: random.below(4) * 2_048, takeBlocksPerSec: random.below(4) * 2 });
  } else if (what < 4) peer.leave();
  else if (what < 6) peer.giveBytesPerSec = random.below(4) * 2_048;
  else peer.setInterested(random.below(3) > 0);
}
