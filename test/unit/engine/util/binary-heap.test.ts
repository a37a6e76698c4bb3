import t from 'tap';
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
