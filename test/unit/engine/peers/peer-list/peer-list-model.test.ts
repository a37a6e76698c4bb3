// Random histories of a small list against what must always hold: invariants, the limit, and that the peer taken is
// one that nobody else should have gone before.
import t from 'tap';
import fc from 'fast-check';
import { PeerList, type KnownPeer, type PeerSource } from '../../../../../engine/peers/peer-list/peer-list.js';
import { ALL_SOURCES, rankOf } from '../../../../../engine/peers/peer-list/sources.js';
import { MINUTE_MS, type PeerAddress } from '../../../../../engine/environment.js';

const POPULATION = 24;
const peer = (n: number): PeerAddress => ({ host: `10.0.0.${n + 1}`, port: 6881 });
const everybody = Array.from({ length: POPULATION }, (_, n) => peer(n));
const rank = ({ host }: PeerAddress): number => Number(host.slice(7)) % 3;

const who = fc.nat(POPULATION - 1);
const source = fc.constantFrom(...ALL_SOURCES);
const KINDS = ['never-connected', 'lost', 'violation', 'unwanted', 'mse-refused'] as const;
const step = fc.oneof(
  fc.record({ do: fc.constant('add' as const), who, source }),
  fc.record({ do: fc.constant('take' as const), denied: who, forbidden: who }),
  fc.record({ do: fc.constant('end' as const), who, kind: fc.constantFrom(...KINDS) }),
  fc.record({ do: fc.constant('hear' as const), who, isSeed: fc.boolean() }),
  fc.record({ do: fc.constant('observe' as const), who, isSeed: fc.boolean() }),
  fc.record({ do: fc.constantFrom('hold' as const, 'forget' as const, 'forgetOwn' as const), who }),
  fc.record({ do: fc.constant('limit' as const), limit: fc.integer({ min: 1, max: POPULATION }) }),
  fc.record({ do: fc.constant('seeding' as const), on: fc.boolean() }),
  fc.record({ do: fc.constant('drop' as const), source }),
  fc.record({ do: fc.constant('accept' as const), source }),
  fc.record({ do: fc.constant('wait' as const), ms: fc.nat(10 * MINUTE_MS) }),
);
type Step = typeof step extends fc.Arbitrary<infer S> ? S : never;

class World {
  readonly known = new PeerList({ limit: 12, rank });
  nowMs = 0;
  seeding = false;

  apply(step: Step): void {
    const { known } = this;
    if (step.do === 'add') known.add([peer(step.who)], step.source);
    else if (step.do === 'take') this.#take(peer(step.denied), peer(step.forbidden));
    else if (step.do === 'end') known.onDisconnected(peer(step.who), step.kind, this.nowMs);
    else if (step.do === 'hear')
      known.hear(peer(step.who), { isSeed: step.isSeed, prefersEncryption: false, isReachable: true });
    else if (step.do === 'observe') known.observe(peer(step.who), { isSeed: step.isSeed });
    else if (step.do === 'limit') known.setLimit(step.limit);
    else if (step.do === 'seeding') known.setSeeding((this.seeding = step.on));
    else if (step.do === 'drop') this.#drop(step.source);
    else if (step.do === 'accept') known.acceptSources([step.source]);
    else if (step.do === 'wait') this.nowMs += step.ms;
    else known[step.do](peer(step.who));
    known.checkInvariant();
  }

  #due(): KnownPeer[] {
    const there = everybody.map((address) => this.known.get(address)).filter((found) => found !== null);
    return there.filter((it) => !it.connected && it.notBeforeMs <= this.nowMs && !(this.seeding && it.isSeed));
  }

  #take(denied: PeerAddress, forbidden: PeerAddress): void {
    const due = this.#due();
    const fit = due.filter(({ address }) => address.host !== denied.host && address.host !== forbidden.host);
    const taken = this.known.take(this.nowMs, ({ address }) => {
      if (address.host === forbidden.host) return Infinity;
      return address.host === denied.host ? this.nowMs + 1 : this.nowMs;
    });
    if (!taken && fit.length === 0) return;
    if (!taken || !due.includes(taken) || !fit.includes(taken)) throw new Error('the wrong one was taken');
    const worth = (it: KnownPeer): number => it.failures * 1e6 + rankOf(it.sources) * 1e3 - rank(it.address);
    for (const other of fit) if (worth(other) < worth(taken)) throw new Error('a better one was passed over');
  }

  #drop(source: PeerSource): void {
    for (const address of this.known.dropSources([source])) {
      if (this.known.get(address)) throw new Error('dropped, but still known');
    }
  }
}

void t.test('no history breaks the list', async () => {
  fc.assert(
    fc.property(fc.array(step, { maxLength: 120 }), (steps) => {
      const world = new World();
      for (const step of steps) world.apply(step);
    }),
    { numRuns: 400 },
  );
});
