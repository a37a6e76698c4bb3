// The same swarm with many seeds: fifty engines of which one has the torrent and all must end up with it.
import t from 'tap';
import { simulations } from '../support/simulations.js';
import { SimulatedSwarm } from '../support/simulated-swarm.js';

const PEERS = 50;
/** Virtual time in which every peer must be complete. */
const LIMIT_MS = 10 * 60_000;

const OPTIONS = { pieceLength: 32 * 1024, payloadBytes: 20 * 32 * 1024 - 5_000, latencyMs: 20, peersPerReply: 8 };

/** `count` seeds from `first`; a test file for each share, so that they run side by side. */
export function completeSwarms(first: number, count: number): void {
  const last = first + simulations(count) - 1;
  void t.test(`${PEERS} peers complete with every seed from ${first} to ${last}`, { timeout: 300_000 }, async (t) => {
    for (let seed = first; seed <= last; seed++) {
      const swarm = new SimulatedSwarm(seed, OPTIONS);
      await gather(swarm);
      await disturb(swarm);
      const done = await swarm.run(LIMIT_MS, () => swarm.nodes.every((node) => node.isComplete));
      const lagging = swarm.nodes.filter((node) => !node.isComplete).length;
      t.ok(done, `seed ${seed}: ${lagging} peers incomplete after ${swarm.clock.nowMs()} ms of virtual time`);
      t.ok(
        swarm.nodes.every((node) => node.hasPayload),
        `seed ${seed}: every disk holds the payload`,
      );
      await swarm.stop();
      t.equal(swarm.network.openSockets, 0, `seed ${seed}: no socket is left open`);
    }
  });
}

/** One seed, and leeches that join one after another. */
async function gather(swarm: SimulatedSwarm): Promise<void> {
  await swarm.join('seed');
  while (swarm.nodes.length < PEERS) {
    await swarm.join('leech');
    await swarm.run(swarm.random.below(100), () => false);
  }
}

/** Some go away in the middle and come back. */
async function disturb(swarm: SimulatedSwarm): Promise<void> {
  for (let i = 0; i < PEERS / 10; i++) {
    const node = swarm.nodes[1 + swarm.random.below(PEERS - 1)]!;
    await node.setPaused(true);
    await swarm.run(swarm.random.below(300), () => false);
    await node.setPaused(false);
  }
}
