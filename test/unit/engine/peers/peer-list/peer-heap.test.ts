// The heap against a sorted array, its invariant checked after each step; and what it costs.
import t from 'tap';
import fc from 'fast-check';
import { IndexedHeap } from '../../../../../engine/peers/peer-list/peer-heap.js';

interface Item {
  readonly value: number;
}
const newHeap = (): IndexedHeap<Item> => new IndexedHeap<Item>((a, b) => a.value < b.value);

void t.test('whatever is put in and taken out, the first is a smallest', async () => {
  const step = fc.oneof(
    fc.record({ kind: fc.constant('push' as const), value: fc.integer({ min: 0, max: 20 }) }),
    fc.record({ kind: fc.constantFrom('pop' as const, 'remove' as const), value: fc.nat(1_000) }),
  );
  fc.assert(
    fc.property(fc.array(step, { maxLength: 200 }), (steps) => {
      const heap = newHeap();
      const model: Item[] = [];
      for (const { kind, value } of steps) {
        if (kind === 'push') {
          const item = { value };
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
  const items = [0, 10, 1, 11, 12, 2, 3].map((value) => ({ value }));
  for (const item of items) heap.push(item);
  heap.remove(items[3]!);
  heap.checkInvariant();
  t.same(
    Array.from({ length: 6 }, () => heap.pop()!.value),
    [0, 1, 2, 3, 10, 12],
  );
});

void t.test('each step takes a logarithm of comparisons', async (t) => {
  const heap = newHeap();
  const items = Array.from({ length: 4_096 }, (_, i) => ({ value: (i * 2_654_435_761) % 4_096 }));
  for (const item of items) heap.push(item);
  t.ok(heap.steps <= 4_096 * 12, `${heap.steps} to fill it`);
  for (const item of items.slice(0, 100)) {
    const before = heap.steps;
    heap.remove(item);
    t.ok(heap.steps - before <= 26);
  }
  t.equal(heap.size, 3_996);
});

void t.test('a broken order is noticed', async (t) => {
  const heap = new IndexedHeap<{ value: number }>((a, b) => a.value < b.value);
  const items = [{ value: 1 }, { value: 2 }];
  for (const item of items) heap.push(item);
  heap.checkInvariant();
  items[1]!.value = 0;
  t.throws(() => heap.checkInvariant(), { message: /^bug: / });
});
