// How slots are divided among accounts, and that the choke clock deals them out so.
import t from 'tap';
import { UnchokeTimer } from '../../../../engine/session/unchoke-timer.js';
import { slotShares } from '../../../../engine/session/slot-shares.js';
import type { ChokeCandidate } from '../../../../engine/choker/types.js';
import { parseAccountId } from '../../../../shared-protocol/ids.js';
import { SeededRandom } from '../../../support/seeded-random.js';
import { VirtualClock } from '../../../support/virtual-clock.js';

const CASES = [
  { name: 'one account has them all', slots: 8, wanted: [1_000], shares: [8] },
  { name: 'nobody wants any: they are there all the same', slots: 8, wanted: [0], shares: [8] },
  { name: 'a thousand peers take none from one', slots: 8, wanted: [1_000, 1], shares: [7, 1] },
  { name: 'equal parts', slots: 9, wanted: [50, 50, 50], shares: [3, 3, 3] },
  { name: 'what some leave goes to the others', slots: 20, wanted: [3, 50, 50], shares: [3, 9, 8] },
  { name: 'everybody has two at least', slots: 8, wanted: [50, 50, 50, 50, 50, 1], shares: [2, 2, 2, 2, 2, 1] },
  { name: 'nobody is there', slots: 8, wanted: [], shares: [] },
];

for (const { name, slots, wanted, shares } of CASES) {
  void t.test(name, async (t) => t.same(slotShares(slots, wanted), shares));
}

/** A seeding torrent whose peers all want everything and take what they get at the rate. */
class Seeded {
  readonly #peers: { id: number; choked: boolean; unchokedAtMs: number | null; turnsMs: number }[];
  #optimisticAtMs = new Map<number, number>();

  constructor(
    readonly ownerId: ReturnType<typeof parseAccountId>,
    private readonly clock: VirtualClock,
    ids: readonly number[],
    private readonly rate: number,
  ) {
    this.#peers = ids.map((id) => ({ id, choked: true, unchokedAtMs: null, turnsMs: 0 }));
  }

  chokeCandidates(into: ChokeCandidate[]): void {
    for (const { id, choked, unchokedAtMs } of this.#peers) {
      const rates = { downloadRate: 0, uploadRate: choked ? 0 : this.rate };
      const optimisticAtMs = this.#optimisticAtMs.get(id) ?? null;
      into.push({
        id,
        interested: true,
        choked,
        ...rates,
        seeding: true,
        snubbed: false,
        unchokedAtMs,
        connectedAtMs: 0,
        optimisticAtMs,
      });
    }
  }

  setChoked(id: number, choked: boolean, optimistic: boolean): void {
    const peer = this.#peers.find((candidate) => candidate.id === id)!;
    if (peer.choked && !choked) peer.unchokedAtMs = this.clock.nowMs();
    peer.choked = choked;
    if (optimistic) this.#optimisticAtMs.set(id, this.clock.nowMs());
  }

  get unchoked(): number {
    return this.#peers.filter(({ choked }) => !choked).length;
  }
}

void t.test('an account with 500 peers on its torrents leaves another account’s peer its slot', async (t) => {
  const clock = new VirtualClock();
  const ids = Array.from({ length: 500 }, (_, i) => 10 + i);
  const busy = new Seeded(parseAccountId(2), clock, ids, 1_000_000);
  const quiet = new Seeded(parseAccountId(3), clock, [1], 1_000);
  const torrents = [busy, quiet];
  const chokes = new UnchokeTimer(clock, new SeededRandom(1), () => torrents, { min: 8, max: 8 });
  chokes.start();
  let rounds = 0;
  for (let round = 0; round < 30; round++) {
    await clock.advance(10_000);
    rounds += quiet.unchoked;
    t.ok(busy.unchoked <= 7, 'no more than there are');
  }
  t.equal(rounds, 30, 'in every round');
  chokes.stop();
});
