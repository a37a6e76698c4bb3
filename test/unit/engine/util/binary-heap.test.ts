// The heap against a sorted array, its invariant checked after each step; and what it costs.
import t from 'tap';
import fc from 'fast-check';
import { BinaryHeap } from '../../../../engine/util/binary-heap.js';
import { SeededRandom } from '../../../support/seeded-random.js';

interface Item {
  heapIndex: number;
  readonly key: number;
}

void t.test('a heap agrees with a sorted list under any course of pushes, pops and removals', async (t) => {
  for (let seed = 1; seed <= 20; seed++) {
    const random = new SeededRandom(seed);
    const heap = new BinaryHeap<Item>((a, b) => a.key < b.key);
    const model: Item[] = [];
    for (let step = 0; step < 500; step++) {
      const what = random.below(10);
      if (what < 6 || model.length === 0) {
        const item = { heapIndex: -1, key: random.below(50) };
        heap.push(item);
        model.push(item);
      } else if (what < 8) {
        const popped = heap.pop();
        if (popped?.key !== Math.min(...model.map(({ key }) => key))) t.fail(`popped ${popped?.key}, seed ${seed}`);
        model.splice(model.indexOf(popped!), 1);
        if (heap.has(popped!) || popped?.heapIndex !== -1) t.fail(`popped item still in, seed ${seed}`);
      } else {
        const [item] = model.splice(random.below(model.length), 1);
        heap.remove(item!);
        if (heap.has(item!)) t.fail(`removed item still in, seed ${seed}`);
      }
      heap.checkInvariant();
      if (heap.size !== model.length) t.fail(`size ${heap.size}, not ${model.length}, seed ${seed}`);
    }
    const rest: number[] = [];
    for (let item = heap.pop(); item; item = heap.pop()) rest.push(item.key);
    t.same(
      rest,
      model.map(({ key }) => key).sort((a, b) => a - b),
      `seed ${seed}`,
    );
  }
});

interface Valued {
  heapIndex: number;
  value: number;
}
const valued = (value: number): Valued => ({ value, heapIndex: -1 });

function newHeap(onCompare = (): unknown => undefined): BinaryHeap<Valued> {
  return new BinaryHeap<Valued>((a, b) => {
    onCompare();
    return a.value < b.value;
  });
}

void t.test('whatever is put in and taken out, the first is a smallest', async () => {
  const step = fc.oneof(
    fc.record({ kind: fc.constant('push' as const), value: fc.integer({ min: 0, max: 20 }) }),
    fc.record({ kind: fc.constantFrom('pop' as const, 'remove' as const), value: fc.nat(1_000) }),
  );
  fc.assert(
    fc.property(fc.array(step, { maxLength: 200 }), (steps) => {
      const heap = newHeap();
      const model: Valued[] = [];
      for (const { kind, value } of steps) {
        if (kind === 'push') {
          const item = valued(value);
          heap.push(item);
          heap.push(item);
          model.push(item);
        } else if (kind === 'pop') {
          const popped = heap.pop();
          if (!popped && model.length === 0) continue;
          if (!popped || popped.value !== Math.min(...model.map((item) => item.value))) return false;
          model.splice(model.indexOf(popped), 1);
        } else if (model.length > 0) {
          const [removed] = model.splice(value % model.length, 1);
          if (!heap.has(removed!) || !heap.remove(removed!) || heap.remove(removed!)) return false;
        }
        heap.checkInvariant();
        if (heap.size !== model.length || !model.every((item) => heap.has(item))) return false;
      }
      return true;
    }),
  );
});

void t.test('what fills a gap may have to rise: it came from another branch', async (t) => {
  const heap = newHeap();
  const items = [0, 10, 1, 11, 12, 2, 3].map(valued);
  for (const item of items) heap.push(item);
  heap.remove(items[3]!);
  heap.checkInvariant();
  t.same(
    Array.from({ length: 6 }, () => heap.pop()!.value),
    [0, 1, 2, 3, 10, 12],
  );
});

void t.test('each step takes a logarithm of comparisons', async (t) => {
  let steps = 0;
  const heap = newHeap(() => steps++);
  const items = Array.from({ length: 4_096 }, (_, i) => valued((i * 2_654_435_761) % 4_096));
  for (const item of items) heap.push(item);
  t.ok(steps <= 4_096 * 12, `${steps} to fill it`);
  for (const item of items.slice(0, 100)) {
    const before = steps;
    heap.remove(item);
    t.ok(steps - before <= 26);
  }
  t.equal(heap.size, 3_996);
});

void t.test('a broken order is noticed', async (t) => {
  const heap = newHeap();
  const items = [valued(1), valued(2)];
  for (const item of items) heap.push(item);
  heap.checkInvariant();
  items[1]!.value = 0;
  t.throws(() => heap.checkInvariant(), { message: /^bug: / });
});
