import t from 'tap';
import { electMember, moveToFront, shuffle, type TierMember } from '../../../../engine/tracker/tiers.js';
import { SeededRandom } from '../../../support/seeded-random.js';

/** `b2@500`: tracker b failed twice and is due at 500; `!` before it: unusable. */
function tier(text: string): (TierMember & { name: string })[] {
  return text.split(' ').map((word) => {
    const [, bang, name = '', fails = '0', due = '0'] = /^(!?)([a-z])(\d*)@?(\d*)$/.exec(word) ?? [];
    return { name, fails: Number(fails), dueMs: Number(due), usable: bang === '' };
  });
}

void t.test('one tracker speaks for a tier', async (t) => {
  const cases = [
    { name: 'the first, never asked', given: 'a b c', expected: 'a' },
    { name: 'the first, working, although not due yet', given: 'a@900 b', expected: 'a' },
    { name: 'the next one while the first backs off', given: 'a1@900 b c', expected: 'b' },
    { name: 'the first again once its back-off has passed', given: 'a1@400 b', expected: 'a' },
    { name: 'all failing: whoever is due first', given: 'a2@900 b1@700 c5@800', expected: 'b' },
    { name: 'unusable ones never', given: '!a b1@900', expected: 'b' },
    { name: 'nobody', given: '!a !b', expected: undefined },
  ];
  for (const { name, given, expected } of cases) t.equal(electMember(tier(given), 500)?.name, expected, name);
});

void t.test('BEP 12: the tracker that answered moves to the front, the others keep their order', async (t) => {
  for (const [member, expected] of Object.entries({ a: 'abcd', c: 'cabd', d: 'dabc' })) {
    const letters = ['a', 'b', 'c', 'd'];
    moveToFront(letters, member);
    t.equal(letters.join(''), expected);
  }
  const letters = ['a'];
  moveToFront(letters, 'x');
  t.same(letters, ['a'], 'a stranger changes nothing');
});

void t.test('shuffling reaches every order about equally often', async (t) => {
  const seed = 20_240_601;
  const random = new SeededRandom(seed);
  const seen = new Map<string, number>();
  for (let i = 0; i < 6000; i++) {
    const letters = ['a', 'b', 'c'];
    shuffle(letters, random);
    seen.set(letters.join(''), (seen.get(letters.join('')) ?? 0) + 1);
  }
  t.equal(seen.size, 6, `seed ${seed}`);
  for (const [order, times] of seen) t.ok(times > 850 && times < 1150, `${order}: ${times}, seed ${seed}`);
});
