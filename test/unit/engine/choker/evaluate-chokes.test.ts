import t from 'tap';
import { DEFAULT_CHOKER_OPTIONS, evaluateChokes, type ChokeCandidate } from '../../../../engine/choker/index.js';
import { optimisticSlots } from '../../../../engine/choker/evaluate-chokes.js';
import { SeededRandom } from '../../../support/seeded-random.js';

const OPTIONS = DEFAULT_CHOKER_OPTIONS;
const ROUND_MS = 10_000;
type Peer = { -readonly [Field in keyof ChokeCandidate]: ChokeCandidate[Field] } & { unchokedMs: number };

function peer(id: number, fields: Partial<Peer> = {}): Peer {
  return {
    id,
    interested: true,
    choked: true,
    downloadRate: 0,
    uploadRate: 0,
    seeding: false,
    snubbed: false,
    unchokedAtMs: null,
    connectedAtMs: 0,
    optimisticAtMs: null,
    unchokedMs: 0,
    ...fields,
  };
}

/** Peers in virtual time: does what is decided, and counts the time each was unchoked. */
class Swarm {
  nowMs = 0;
  readonly peers: Peer[];
  readonly random: SeededRandom;
  mostUnchoked = 0;
  shortestUnchokeMs = Infinity;

  constructor(
    peers: readonly Peer[],
    readonly slots: number,
    seed: number,
  ) {
    this.peers = [...peers];
    this.random = new SeededRandom(seed);
  }

  round(forMs = ROUND_MS): void {
    const decisions = evaluateChokes(this.peers, this.nowMs, this.random, { ...OPTIONS, slots: this.slots });
    for (const { id, choke, reason } of decisions) {
      const peer = this.peers.find((other) => other.id === id)!;
      if (choke && !peer.choked)
        this.shortestUnchokeMs = Math.min(this.shortestUnchokeMs, this.nowMs - peer.unchokedAtMs!);
      if (!choke && peer.choked) peer.unchokedAtMs = this.nowMs;
      if (reason === 'optimistic') peer.optimisticAtMs = this.nowMs;
      peer.choked = choke;
    }
    const unchoked = this.peers.filter((peer) => !peer.choked);
    this.mostUnchoked = Math.max(this.mostUnchoked, unchoked.length);
    for (const peer of unchoked) peer.unchokedMs += forMs;
    this.nowMs += forMs;
  }

  run(untilMs: number): void {
    while (this.nowMs < untilMs) this.round();
  }
}

void t.test('one slot, 20 interested peers, half an hour: equal turns', async (t) => {
  for (let seed = 1; seed <= 10; seed++) {
    const swarm = new Swarm(
      Array.from({ length: 20 }, (_, id) => peer(id)),
      1,
      seed,
    );
    swarm.run(1_800_000);
    const times = swarm.peers.map((each) => each.unchokedMs);
    t.ok(
      times.every((ms) => Math.abs(ms - 90_000) <= 1_500),
      `seed ${seed}: ${times.join()}`,
    );
    t.equal(swarm.mostUnchoked, 1);
  }
});

void t.test('tit for tat: who gives most is unchoked at least 90 % of the time', async (t) => {
  for (let seed = 1; seed <= 10; seed++) {
    const rates = [0, 50, 100, 200].map((kib) => kib * 1024);
    const swarm = new Swarm(
      rates.map((downloadRate, id) => peer(id, { downloadRate })),
      3,
      seed,
    );
    swarm.run(3_600_000);
    const share = (id: number): number => swarm.peers[id]!.unchokedMs / 3_600_000;
    t.ok(share(3) >= 0.9 && share(2) >= 0.9, `seed ${seed}: ${share(2)}, ${share(3)}`);
    t.ok(share(1) < 0.6 && share(0) < 0.6, `seed ${seed}: the others have optimistic turns only`);
    t.equal(swarm.mostUnchoked, 3);
  }
});

void t.test('seeding: the fastest and one in turn', async (t) => {
  const swarm = new Swarm(
    Array.from({ length: 12 }, (_, id) => peer(id, { seeding: true })),
    5,
    1,
  );
  for (; swarm.nowMs < 3_600_000; swarm.round())
    for (const each of swarm.peers) each.uploadRate = each.choked ? 0 : 1_000 * (1 + each.id);
  const fastest = swarm.peers.slice(8).map((each) => each.unchokedMs / 3_600_000);
  t.ok(
    fastest.every((share) => share >= 0.85),
    fastest.join(),
  );
  t.ok(
    swarm.peers.every((each) => each.unchokedMs >= 30_000),
    'nobody starves',
  );
});

void t.test('never above the slots, no choke within 10 s of the unchoke, whatever happens', async (t) => {
  for (let seed = 1; seed <= 40; seed++) {
    const random = new SeededRandom(seed);
    const swarm = new Swarm([], random.below(12), seed);
    let next = 0;
    for (let round = 0; round < 400; round++) {
      if (random.below(4) === 0) swarm.peers.push(peer(next++, { connectedAtMs: swarm.nowMs }));
      if (random.below(8) === 0) swarm.peers.splice(random.below(swarm.peers.length + 1), 1);
      for (const each of swarm.peers) {
        if (random.below(5) === 0) each.interested = random.below(3) > 0;
        if (random.below(9) === 0) each.snubbed = random.below(2) === 0;
        if (random.below(30) === 0) each.seeding = !each.seeding;
        each.downloadRate = random.below(2) * random.below(100_000);
        each.uploadRate = each.choked ? 0 : random.below(100_000);
      }
      swarm.round(1_000 + random.below(12_000)); // asked at odd times too
      const interestedWaiting = swarm.peers.some((each) => each.interested && each.choked);
      const unchoked = swarm.peers.filter((each) => !each.choked).length;
      if (interestedWaiting && unchoked < swarm.slots) t.fail(`seed ${seed}: a slot is free while a peer waits`);
    }
    t.ok(swarm.mostUnchoked <= swarm.slots, `seed ${seed}: ${swarm.mostUnchoked} of ${swarm.slots}`);
    t.ok(swarm.shortestUnchokeMs >= OPTIONS.minUnchokedMs, `seed ${seed}: ${swarm.shortestUnchokeMs} ms`);
  }
});

void t.test('new peers are three times as likely to be next', async (t) => {
  const random = new SeededRandom(4);
  let newcomer = 0;
  for (let n = 0; n < 4_000; n++) {
    const candidates = [peer(1, { connectedAtMs: -90_000 }), peer(2, { connectedAtMs: -5_000 })];
    const [decision] = evaluateChokes(candidates, 0, random, { ...OPTIONS, slots: 1 });
    if (decision!.id === 2) newcomer++;
  }
  t.ok(Math.abs(newcomer / 4_000 - 0.75) < 0.03, `${newcomer} of 4000`);
});

void t.test('a stream of newcomers does not starve who waits', async (t) => {
  const swarm = new Swarm([peer(0)], 1, 2);
  for (let id = 1; swarm.nowMs < 3_600_000; id++) {
    swarm.peers.push(peer(id, { connectedAtMs: swarm.nowMs }));
    if (swarm.peers.length > 20) swarm.peers.splice(1, 1);
    swarm.round();
  }
  t.ok(swarm.peers[0]!.unchokedMs >= 60_000, `${swarm.peers[0]!.unchokedMs} ms`);
});

interface Case {
  readonly name: string;
  readonly slots: number;
  readonly peers: readonly Peer[];
  readonly expected: readonly string[];
}

const LONG_AGO = { choked: false, unchokedAtMs: -600_000, connectedAtMs: -900_000 };
const JUST_NOW = { choked: false, unchokedAtMs: -4_000, connectedAtMs: -900_000 };

const CASES: readonly Case[] = [
  { name: 'nobody', slots: 4, peers: [], expected: [] },
  { name: 'no slots', slots: 0, peers: [peer(1, LONG_AGO), peer(2)], expected: ['1 choke out-ranked'] },
  {
    name: 'who is not interested holds no slot',
    slots: 4,
    peers: [peer(1, { ...LONG_AGO, interested: false, downloadRate: 9_000 }), peer(2, { interested: false })],
    expected: ['1 choke not-interested'],
  },
  {
    name: 'but keeps one that it was just given',
    slots: 4,
    peers: [peer(1, { ...JUST_NOW, interested: false })],
    expected: ['1 unchoke kept'],
  },
  {
    name: 'the better giver takes the place of the worse',
    slots: 2,
    peers: [
      peer(1, { ...LONG_AGO, downloadRate: 10 }),
      peer(2, { downloadRate: 20 }),
      peer(3, { ...JUST_NOW, optimisticAtMs: -4_000 }),
    ],
    expected: ['1 choke out-ranked', '2 unchoke tit-for-tat', '3 unchoke kept'],
  },
  {
    name: 'but not within 10 s',
    slots: 2,
    peers: [
      peer(1, { ...JUST_NOW, downloadRate: 10 }),
      peer(2, { downloadRate: 20 }),
      peer(3, { ...JUST_NOW, optimisticAtMs: -4_000 }),
    ],
    expected: ['1 unchoke kept', '3 unchoke kept'],
  },
  {
    name: 'fewer slots count more than the 10 s, and the better stay',
    slots: 2,
    peers: [
      peer(1, { ...JUST_NOW, interested: false }),
      peer(2, JUST_NOW),
      peer(3, { ...JUST_NOW, downloadRate: 10 }),
      peer(4, { ...JUST_NOW, downloadRate: 20 }),
    ],
    expected: ['1 choke not-interested', '2 choke out-ranked', '3 unchoke kept', '4 unchoke kept'],
  },
  {
    name: 'equals do not replace each other',
    slots: 2,
    peers: [
      peer(1, { downloadRate: 10 }),
      peer(2, { ...LONG_AGO, downloadRate: 10 }),
      peer(3, { ...LONG_AGO, optimisticAtMs: -20_000, unchokedAtMs: -20_000 }),
    ],
    expected: ['2 unchoke kept', '3 unchoke kept'],
  },
  {
    name: 'a snubbing peer earns nothing',
    slots: 2,
    peers: [
      peer(1, { ...LONG_AGO, downloadRate: 900, snubbed: true }),
      peer(2, { ...LONG_AGO, downloadRate: 10 }),
      peer(3, { ...LONG_AGO, optimisticAtMs: -20_000, unchokedAtMs: -20_000 }),
    ],
    expected: ['1 choke out-ranked', '2 unchoke kept', '3 unchoke kept'],
  },
  {
    name: 'givers and takers share the slots of all torrents',
    slots: 5,
    peers: [
      peer(1, { downloadRate: 10 }),
      peer(2, { downloadRate: 20 }),
      peer(3, { downloadRate: 30 }),
      peer(4, { ...LONG_AGO, seeding: true, uploadRate: 9_000 }),
      peer(5, { ...LONG_AGO, seeding: true, uploadRate: 8_000 }),
      peer(6, { ...LONG_AGO, seeding: true, uploadRate: 7_000 }),
      peer(7, { ...LONG_AGO, optimisticAtMs: -20_000, unchokedAtMs: -20_000 }),
    ],
    expected: [
      '2 unchoke tit-for-tat',
      '3 unchoke tit-for-tat',
      '4 unchoke kept',
      '5 unchoke kept',
      '6 choke out-ranked',
      '7 unchoke kept',
    ],
  },
];

for (const { name, slots, peers, expected } of CASES)
  void t.test(`choking: ${name}`, async (t) => {
    const decisions = evaluateChokes(peers, 0, new SeededRandom(1), { ...OPTIONS, slots });
    t.same(
      decisions.map(({ id, choke, reason }) => `${id} ${choke ? 'choke' : 'unchoke'} ${reason}`),
      expected,
    );
  });

void t.test('a fifth of the slots is optimistic, at least one', async (t) => {
  t.same([0, 1, 2, 5, 9, 10, 64].map(optimisticSlots), [0, 1, 1, 1, 1, 2, 12]);
});

void t.test(
  'groups: none has more slots than it may, others have what it leaves, and all of it have turns',
  async (t) => {
    for (let seed = 1; seed <= 20; seed++) {
      const random = new SeededRandom(seed);
      const groups = [{ slots: 1 }, { slots: 2 }, null] as const;
      const peers = Array.from({ length: 18 }, (_, id) => {
        const group = groups[id % 3];
        return peer(id, { seeding: random.below(2) === 0, ...(group && { group }) });
      });
      const swarm = new Swarm(peers, 8, seed);
      for (let round = 0; round < 200; round++) {
        for (const each of peers) each.downloadRate = random.below(2) * random.below(100_000);
        swarm.round();
        const unchoked = groups.map(
          (group) => peers.filter((each) => !each.choked && (each.group ?? null) === group).length,
        );
        const [one = 0, two = 0, others = 0] = unchoked;
        t.ok(one <= 1 && two <= 2 && one + two + others === 8, `seed ${seed}, round ${round}: ${unchoked.join()}`);
      }
      t.ok(peers.every((each) => each.unchokedMs > 0));
    }
  },
);
