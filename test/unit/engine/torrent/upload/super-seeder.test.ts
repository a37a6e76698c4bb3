// Super-seeding (BEP 16): which piece is shown to which peer, against leeches that pass on what they have.
import t from 'tap';
import { Bitfield } from '../../../../../engine/torrent/pieces/bitfield.js';
import { PATIENCE_MS, SuperSeeder, UNWANTED_MS } from '../../../../../engine/torrent/upload/super-seeder.js';
import { SeededRandom } from '../../../../support/seeded-random.js';

/** Leeches that have what they say they have, and are shown pieces. */
class Crowd {
  nowMs = 1_000;
  readonly shown: { readonly key: number; readonly piece: number }[] = [];
  readonly have = new Map<number, Bitfield>();
  /** Peers that say they want nothing. */
  readonly sated = new Set<number>();
  readonly seeder: SuperSeeder;

  constructor(
    readonly pieceCount: number,
    seed = 1,
  ) {
    this.seeder = new SuperSeeder({
      pieceCount,
      random: new SeededRandom(seed),
      wants: (key) => !this.sated.has(key),
      show: (key, piece) => this.shown.push({ key, piece }),
    });
  }

  come(key: number, pieces: readonly number[] = []): void {
    const have = new Bitfield(this.pieceCount);
    for (const piece of pieces) have.set(piece);
    this.have.set(key, have);
    this.seeder.onPieces(key, have);
    this.seeder.join(key, this.nowMs);
  }

  get(key: number, piece: number): void {
    this.have.get(key)?.set(piece);
    this.seeder.onHave(key, piece, this.nowMs);
  }

  wait(ms: number): void {
    this.nowMs += ms;
    this.seeder.tick(this.nowMs);
  }

  /** Pieces that the peer was shown, in their order. */
  shownTo(key: number): number[] {
    return this.shown.filter((each) => each.key === key).map(({ piece }) => piece);
  }

  last(key: number): number {
    return this.shownTo(key).at(-1) ?? -1;
  }
}

void t.test('one piece each, another when it is seen elsewhere', async (t) => {
  const crowd = new Crowd(10);
  for (const key of [1, 2, 3]) crowd.come(key);
  t.equal(new Set(crowd.shown.map(({ piece }) => piece)).size, 3, 'different ones');
  const first = crowd.last(1);
  crowd.get(1, first);
  crowd.wait(1_000);
  t.equal(crowd.shown.length, 3, 'it has it, and nobody else');
  crowd.get(2, first);
  t.equal(crowd.shownTo(1).length, 2, 'it has passed it on');
  t.equal(crowd.shownTo(2).length, 1, 'who took it has its own to fetch');
  t.not(crowd.last(1), first);
});

void t.test('what is shown is new as long as anything is, whoever comes, goes and passes on', async (t) => {
  for (let seed = 1; seed <= 50; seed++) {
    const random = new SeededRandom(seed);
    const pieces = 5 + random.below(60);
    const crowd = new Crowd(pieces, seed);
    const known = new Set<number>();
    for (let key = 0; key < 2 + random.below(4); key++) crowd.come(key);
    let judged = 0;
    for (let step = 0; step < 4_000 && [...crowd.have.values()].some(({ isFull }) => !isFull); step++) {
      const keys = [...crowd.have.keys()];
      const key = keys[random.below(keys.length)]!;
      const from = keys[random.below(keys.length)]!;
      const passed = Array.from({ length: pieces }, (_, piece) => piece).filter((piece) => crowd.have.get(from)!.has(piece) && !crowd.have.get(key)!.has(piece)); // prettier-ignore
      const before = crowd.shown.length;
      if (random.below(2) === 0 || passed.length === 0) {
        if (crowd.last(key) >= 0) crowd.get(key, crowd.last(key));
      } else crowd.get(key, passed[random.below(passed.length)]!);
      for (const { piece } of crowd.shown.slice(judged, before)) known.add(piece);
      for (const { piece } of crowd.shown.slice(before)) {
        const unseen = Array.from({ length: pieces }, (_, other) => other).filter((other) => !known.has(other));
        if (unseen.length > 0)
          t.notOk(known.has(piece), `seed ${seed}: piece ${piece} again, while ${unseen.length} were unseen`);
        known.add(piece);
      }
      judged = crowd.shown.length;
      if (random.below(50) === 0) crowd.wait(1_000);
      if (step % 100 === 99) crowd.wait(PATIENCE_MS);
    }
    t.ok(
      [...crowd.have.values()].every(({ isFull }) => isFull),
      `seed ${seed}: all have everything`,
    );
    t.equal(known.size, pieces);
  }
});

void t.test('one that is alone is shown piece after piece, without a wait', async (t) => {
  const crowd = new Crowd(20);
  crowd.come(1);
  for (let step = 0; step < 20; step++) crowd.get(1, crowd.last(1));
  t.same(
    crowd.shownTo(1).sort((a, b) => a - b),
    Array.from({ length: 20 }, (_, piece) => piece),
  );
});

void t.test(
  'patience: who cannot pass on is shown another one after a while; who goes leaves its piece to others',
  async (t) => {
    const crowd = new Crowd(3);
    crowd.come(1);
    crowd.come(2);
    crowd.get(1, crowd.last(1));
    crowd.wait(PATIENCE_MS - 1);
    t.equal(crowd.shownTo(1).length, 1);
    crowd.wait(1);
    t.equal(crowd.shownTo(1).length, 2);
    const lost = crowd.last(2);
    crowd.seeder.leave(2);
    crowd.come(3);
    t.ok([lost, ...crowd.shownTo(1)].includes(crowd.last(3)) || crowd.last(3) === -1);
    crowd.come(4, [0, 1, 2]);
    t.equal(crowd.last(4), -1, 'a seed is shown nothing');
    crowd.wait(PATIENCE_MS);
    t.not(crowd.last(3), -1);
  },
);

void t.test('what a peer has no use for is not what it waits for', async (t) => {
  const crowd = new Crowd(10);
  crowd.come(1);
  crowd.come(2);
  crowd.wait(10 * PATIENCE_MS);
  t.equal(crowd.shown.length, 2, 'they want it, and have yet to get a slot');
  crowd.sated.add(1);
  crowd.wait(UNWANTED_MS);
  t.equal(crowd.shownTo(1).length, 2);
  crowd.wait(UNWANTED_MS - 1);
  t.equal(crowd.shownTo(1).length, 2);
  t.equal(crowd.shownTo(2).length, 1);
});

void t.test(
  'a peer that claims everything but a piece keeps nothing from the others, and makes none wait',
  async (t) => {
    const crowd = new Crowd(40);
    crowd.come(
      99,
      Array.from({ length: 39 }, (_, piece) => piece),
    );
    for (const key of [1, 2]) crowd.come(key);
    for (let step = 0; step < 200; step++) {
      for (const [key, other] of [
        [1, 2],
        [2, 1],
      ] as const) {
        const shown = crowd.last(key);
        crowd.get(key, shown);
        crowd.get(other, shown);
      }
    }
    t.same(
      [1, 2].map((key) => crowd.have.get(key)?.count),
      [39, 39],
      'all but the one that the liar was shown',
    );
    t.equal(crowd.nowMs, 1_000);
    crowd.wait(PATIENCE_MS);
    for (const key of [1, 2]) crowd.get(key, crowd.last(99));
    t.ok([1, 2].every((key) => crowd.have.get(key)?.isFull));
  },
);
