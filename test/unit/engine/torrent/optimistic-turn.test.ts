// An optimistic turn lasts its 30 seconds by a clock that never stands still between two readings, as real ones do not:
// the choker knows a turn by its having begun no earlier than the unchoke.
import t from 'tap';
import { frame } from '../../../support/frames.js';
import type { ScriptedPeer } from '../../../support/scripted-peer.js';
import { VirtualClock } from '../../../support/virtual-clock.js';
import { TorrentBench } from './torrent-bench.js';

class RunningClock extends VirtualClock {
  #readings = 0;

  override nowMs(): number {
    return super.nowMs() + ++this.#readings * 1e-6;
  }
}

const [CHOKE, UNCHOKE, INTERESTED, HAVE_NONE] = [0, 1, 2, 15];

const turnsOf = (peer: ScriptedPeer): number[] =>
  peer.frames.map(({ id }) => id).filter((id) => id === CHOKE || id === UNCHOKE);

void t.test('the only slot is given by lot, and kept for the length of a turn', async (t) => {
  const engine = { uploadSlots: { min: 1, max: 1 } };
  const bench = await TorrentBench.start({ has: 'all', engine, clock: new RunningClock() });
  const peers = [await bench.meet('10.0.0.7'), await bench.meet('10.0.0.8')];
  for (const peer of peers) peer.send(frame(HAVE_NONE), frame(INTERESTED));
  await bench.clock.advance(24_000);
  t.same(peers.map(turnsOf).sort(), [[], [UNCHOKE]], 'one has it, and nobody else has had it');
  t.same(bench.peers.map(({ flags }) => flags).sort(), ['UOI', 'uI']);
  await bench.clock.advance(40_000);
  t.same(
    peers.map((peer) => turnsOf(peer).length > 0),
    [true, true],
    'then it is the other one’s turn',
  );
  await bench.stop();
});
