// Shares of a limit: never more together than it, all of it where it is wanted, and the same for all who want it.
import t from 'tap';
import { shareOut, type ShareInUse } from '../../../../api/engines/limit-shares.js';
import { SeededRandom } from '../../../support/seeded-random.js';

const fresh = { rate: 0, share: null, isAway: false };
const sum = (numbers: readonly number[]) => numbers.reduce((total, number) => total + number, 0);

/** Shares after some rounds in which each engine uses what it gets, but no more than it wants. */
function settle(limit: number, wants: readonly number[], rounds = 40): number[] {
  let shares: (number | null)[] = wants.map(() => null);
  for (let round = 0; round < rounds; round++) {
    const engines = wants.map((want, at) => ({
      rate: Math.min(want, shares[at] ?? 0),
      share: shares[at]!,
      isAway: false,
    }));
    shares = shareOut(limit, engines);
    const used = sum(shares.map((share) => share!));
    if (used > limit) throw new Error(`${used} of ${limit}`);
  }
  return shares.map((share) => share!);
}

void t.test('no limit is none for all, and of two who begin each has half', async (t) => {
  t.same(shareOut(0, [fresh, fresh]), [0, 0]);
  t.same(shareOut(1_000, [fresh, fresh]), [500, 500]);
  t.same(shareOut(1, [fresh, fresh, fresh]), [1, 1, 1], 'never 0, which would be no limit');
});

void t.test('who uses all of its share gets what the others do not use', async (t) => {
  const [busy, idle] = settle(1_000_000, [Infinity, 0]);
  t.ok(busy! >= 950_000, `${busy}`);
  t.ok(idle! >= 20_000, 'by which it can begin');
  const [a, b, little] = settle(1_000_000, [Infinity, Infinity, 100_000]);
  t.ok(Math.abs(a! - b!) < 2, 'alike');
  t.ok(little! >= 100_000, 'who wants little has it');
  t.ok(a! >= 430_000, `${a}`);
});

void t.test('who begins has its part within a few rounds', async (t) => {
  let shares: number[] = settle(1_000_000, [Infinity, 0]);
  for (let round = 0; round < 6; round++) {
    shares = shareOut(
      1_000_000,
      shares.map((share) => ({ rate: share, share, isAway: false })),
    );
  }
  t.ok(Math.abs(shares[0]! - shares[1]!) < 2, shares.join(' '));
});

void t.test('one that is away goes on with its share, and the others have the rest', async (t) => {
  const away = { rate: 0, share: 300, isAway: true };
  t.same(shareOut(1_000, [away, fresh]), [300, 700]);
  t.same(shareOut(200, [away, fresh]), [300, 1], 'nothing is left');
  t.same(
    shareOut(1_000, [{ ...away, share: null }, fresh]),
    [500, 500],
    'one that has never had a share begins with it',
  );
});

void t.test(
  'whatever is used, together they have no more than the limit, and no less where somebody wants it',
  async (t) => {
    const source = new SeededRandom(7);
    const random = () => source.below(1_000_000) / 1_000_000;
    for (let round = 0; round < 2_000; round++) {
      const limit = 1_000 + Math.floor(random() * 10_000_000);
      const engines: ShareInUse[] = Array.from({ length: 1 + Math.floor(random() * 8) }, () => {
        const share = random() < 0.2 ? null : Math.floor(random() * limit);
        return { rate: random() * 1.2 * (share ?? limit), share, isAway: false };
      });
      const shares = shareOut(limit, engines);
      if (sum(shares) > limit || sum(shares) < limit * 0.9 - 10)
        t.fail(`${limit}: ${JSON.stringify({ engines, shares })}`);
      if (shares.some((share) => share < 1)) t.fail(`${limit}: ${shares.join(' ')}`);
    }
  },
);
