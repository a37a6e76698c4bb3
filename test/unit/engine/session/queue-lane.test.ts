import t from 'tap';
import { QueueLane, type LaneMember } from '../../../../engine/session/queue-lane.js';
import type { AccountId } from '../../../../shared-protocol/ids.js';
import { SeededRandom } from '../../../support/seeded-random.js';

interface Named extends LaneMember {
  readonly name: string;
}

const ANN = 1 as AccountId;
const BOB = 2 as AccountId;
const EVE = 3 as AccountId;
const ACCOUNTS = [ANN, BOB, EVE] as const;

const member = (name: string, key: number, account = ANN): Named => {
  return { name, key, account, isHeld: false, heapIndex: -1 };
};

/** Members by letters, in the order of the alphabet; small letters wait. `bobs`: those that are not ann's. */
function lane(limit: number, letters: string, bobs = '') {
  const made = (name: string) => member(name, name.charCodeAt(0), bobs.includes(name) ? BOB : ANN);
  const members = new Map([...letters].map((name) => [name, made(name)]));
  const queue = new QueueLane<Named>(limit);
  for (const one of members.values()) queue.add(one);
  const show = () => [...members.values()].map(({ name, isHeld }) => (isHeld ? name.toLowerCase() : name)).join('');
  const of = (name: string): Named => members.get(name)!;
  const add = (name: string) => {
    members.set(name, made(name));
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

void t.test('accounts take turns', async (t) => {
  const cases = [
    { name: 'one of each, before a second of anybody', limit: 2, all: 'ABCD', bobs: 'D', expected: 'AbcD' },
    { name: 'of the second ones the first in order', limit: 3, all: 'ABCDEF', bobs: 'DEF', expected: 'ABcDef' },
    { name: 'who has no more leaves the rest to others', limit: 4, all: 'ABCDE', bobs: 'E', expected: 'ABCdE' },
    { name: 'fewer places than accounts: the first in order', limit: 1, all: 'ABC', bobs: 'A', expected: 'Abc' },
  ];
  for (const { name, limit, all, bobs, expected } of cases) {
    t.equal(lane(limit, all, bobs).show(), expected, name);
    t.equal(
      lane(limit, [...all].reverse().join(''), bobs).show(),
      [...expected].reverse().join(''),
      `${name}, reversed`,
    );
  }
});

void t.test('accounts that come and go', async (t) => {
  const queue = lane(3, 'ABCD', 'XYZ');
  t.equal(queue.show(), 'ABCd');
  t.equal(queue.add('X'), 'C', 'the last of who has the most');
  t.equal(queue.add('Y'), null, 'a second one comes behind those of the other');
  t.equal(queue.show(), 'ABcdXy');
  t.equal(queue.remove('A'), 'C', 'of the second ones the first in order');
  t.equal(queue.remove('X'), 'Y');
  t.same(queue.setLimit(1), ['C', 'Y'], 'the second ones before the first');
  t.same(queue.setLimit(3), ['Y', 'C']);
  t.equal(queue.remove('Y'), 'D');
  t.equal(queue.show(), 'BCD', 'all are for who is left');
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
        const account = ACCOUNTS[random.below(ACCOUNTS.length)]!;
        const one = member('', random.below(2) === 0 ? ++keys : -++keys, account);
        told = [queue.add(one)];
        members.push(one);
      } else {
        const [gone] = members.splice(random.below(members.length), 1);
        told = [queue.remove(gone!)];
        before.delete(gone!);
        if (gone!.isHeld) throw new Error(`seed ${seed}: held back by a lane that it has left`);
      }
      const sorted = byTurn(members);
      const isRight = sorted.every(({ isHeld }, i) => isHeld === (limit > 0 && i >= limit));
      const changed = [...before].filter(([one, was]) => one.isHeld !== was).map(([one]) => one);
      const named = told.filter((one) => one !== null);
      if (!isRight) throw new Error(`seed ${seed}, step ${step}: not the ${limit} run whose turns come first`);
      const sameTold = changed.length === named.length && changed.every((one) => named.includes(one));
      if (!sameTold) throw new Error(`seed ${seed}, step ${step}: ${named.length} told, ${changed.length} changed`);
    }
  }
  t.pass('20 seeds');
});

/** The first of each account in order, then the second ones. */
function byTurn(members: readonly Named[]): Named[] {
  const inOrder = [...members].sort((a, b) => a.key - b.key);
  const numberOf = (one: Named) => inOrder.filter(({ account }) => account === one.account).indexOf(one);
  const turns = new Map(inOrder.map((one) => [one, numberOf(one)]));
  return inOrder.sort((a, b) => turns.get(a)! - turns.get(b)!);
}
