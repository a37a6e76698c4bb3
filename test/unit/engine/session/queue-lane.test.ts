import t from 'tap';
import { QueueLane, type LaneMember } from '../../../../engine/session/queue-lane.js';
import { SeededRandom } from '../../../support/seeded-random.js';

interface Named extends LaneMember {
  readonly name: string;
}

const member = (name: string, key: number): Named => ({ name, key, isHeld: false, heapIndex: -1 });

/** Members by letters, in the order of the alphabet; small letters wait. */
function lane(limit: number, letters: string) {
  const members = new Map([...letters].map((name) => [name, member(name, name.charCodeAt(0))]));
  const queue = new QueueLane<Named>(limit);
  for (const one of members.values()) queue.add(one);
  const show = () => [...members.values()].map(({ name, isHeld }) => (isHeld ? name.toLowerCase() : name)).join('');
  const of = (name: string): Named => members.get(name)!;
  const add = (name: string) => {
    members.set(name, member(name, name.charCodeAt(0)));
    return queue.add(of(name))?.name ?? null;
  };
  const remove = (name: string) => {
    const next = queue.remove(of(name))?.name ?? null;
    members.delete(name);
    return next;
  };
  const setLimit = (to: number) => queue.setLimit(to, members.values()).map(({ name }) => name);
  return { show, add, remove, setLimit };
}

void t.test('the first so many run', async (t) => {
  t.equal(lane(2, 'ABCD').show(), 'ABcd');
  t.equal(lane(2, 'DCBA').show(), 'dcBA', 'whatever the order they come in');
  t.equal(lane(0, 'ABCD').show(), 'ABCD', '0: no limit');
  t.equal(lane(9, 'AB').show(), 'AB');
});

void t.test('coming and going', async (t) => {
  const cases = [
    { name: 'a later one waits', start: 'ABC', add: 'D', expected: 'ABcd', touched: null },
    { name: 'an earlier one displaces the last that runs', start: 'BCD', add: 'A', expected: 'BcdA', touched: 'C' },
    { name: 'there is a place', start: 'A', add: 'B', expected: 'AB', touched: null },
    {
      name: 'one that runs goes: the first that waits starts',
      start: 'ABCD',
      remove: 'A',
      expected: 'BCd',
      touched: 'C',
    },
    { name: 'one that waits goes', start: 'ABCD', remove: 'C', expected: 'ABd', touched: null },
    { name: 'the last one goes', start: 'A', remove: 'A', expected: '', touched: null },
  ];
  for (const { name, start, add, remove, expected, touched } of cases) {
    const queue = lane(2, start);
    t.equal(add ? queue.add(add) : queue.remove(remove!), touched, name);
    t.equal(queue.show(), expected, name);
  }
});

void t.test('another limit touches exactly those it concerns', async (t) => {
  const queue = lane(2, 'ABCDE');
  t.same(queue.setLimit(4), ['C', 'D']);
  t.equal(queue.show(), 'ABCDe');
  t.same(queue.setLimit(1), ['D', 'C', 'B']);
  t.equal(queue.show(), 'Abcde');
  t.same(queue.setLimit(1), []);
  t.same(queue.setLimit(0), ['B', 'C', 'D', 'E'], 'no limit');
  t.equal(queue.show(), 'ABCDE');
  t.equal(queue.add('F'), null);
  t.equal(queue.remove('A'), null);
  t.same(queue.setLimit(3), ['F', 'E']);
  t.equal(queue.show(), 'BCDef');
  t.equal(queue.remove('B'), 'E');
});

void t.test('as a scan in order would have it, whatever happens', async (t) => {
  for (let seed = 1; seed <= 20; seed++) {
    const random = new SeededRandom(seed);
    let limit = random.below(4);
    const queue = new QueueLane<Named>(limit);
    const members: Named[] = [];
    let keys = 0;
    for (let step = 0; step < 400; step++) {
      const before = new Map(members.map((one) => [one, one.isHeld]));
      let told: (Named | null)[] = [];
      const kind = random.below(5);
      if (kind === 0) {
        limit = random.below(5);
        told = queue.setLimit(limit, members);
      } else if (kind < 3 || members.length === 0) {
        const one = member('', random.below(2) === 0 ? ++keys : -++keys);
        told = [queue.add(one)];
        members.push(one);
      } else {
        const [gone] = members.splice(random.below(members.length), 1);
        told = [queue.remove(gone!)];
        before.delete(gone!);
        if (gone!.isHeld) throw new Error(`seed ${seed}: held back by a lane that it has left`);
      }
      const sorted = [...members].sort((a, b) => a.key - b.key);
      const isRight = sorted.every(({ isHeld }, i) => isHeld === (limit > 0 && i >= limit));
      const changed = [...before].filter(([one, was]) => one.isHeld !== was).map(([one]) => one);
      const named = told.filter((one) => one !== null);
      if (!isRight) throw new Error(`seed ${seed}, step ${step}: not the first ${limit} run`);
      const sameTold = changed.length === named.length && changed.every((one) => named.includes(one));
      if (!sameTold) throw new Error(`seed ${seed}, step ${step}: ${named.length} told, ${changed.length} changed`);
    }
  }
  t.pass('20 seeds');
});
