import { once } from 'node:events';
import { Worker } from 'node:worker_threads';
import t from 'tap';
import { returnMemoryWhenQuiet, type QuietHeap } from '../../../shared-protocol/quiet-memory.js';
import { VirtualClock } from '../../support/virtual-clock.js';

const MIB = 1024 * 1024;

class Heap implements QuietHeap {
  collections = 0;
  compactions = 0;
  #old = 0;
  #pages = 0;
  #needed = 0;
  #busy = 0;

  /** In pages that lie half empty after a collection, unless it compacts. */
  hold(oldMib: number, neededMib: number): this {
    this.#old = oldMib * MIB;
    this.#pages = this.#old;
    this.#needed = neededMib * MIB;
    return this;
  }

  busy(share: number): this {
    this.#busy = share;
    return this;
  }

  oldBytes(): number {
    return this.#old;
  }

  heldBytes(): number {
    return this.#pages;
  }

  busyShare(): number {
    return this.#busy;
  }

  collect(isCompacting: boolean): void {
    this.collections++;
    if (isCompacting) this.compactions++;
    this.#old = this.#needed;
    this.#pages = isCompacting ? this.#needed : (this.#pages + this.#needed) / 2;
  }
}

void t.test('memory is given back when a thread is quiet and holds much more than it needs', async (t) => {
  const clock = new VirtualClock();
  const heap = new Heap();
  returnMemoryWhenQuiet(clock, heap);

  heap.hold(100, 60).busy(0.5);
  await clock.advance(30_000);
  t.equal(heap.collections, 0, 'not while it works');

  heap.busy(0.001);
  await clock.advance(10_000);
  t.equal(heap.collections, 1);
  await clock.advance(60_000);
  t.equal(heap.collections, 1, 'once');

  heap.hold(66, 60);
  await clock.advance(60_000);
  t.equal(heap.collections, 1, 'not for a few megabytes');

  heap.hold(90, 60);
  await clock.advance(10_000);
  t.equal(heap.collections, 2, 'again after the next burst');

  heap.hold(5_000, 4_990);
  await clock.advance(10_000);
  t.equal(heap.collections, 3, 'though little comes of it');
  heap.hold(5_500, 5_000);
  await clock.advance(60_000);
  t.equal(heap.collections, 3, 'a large heap may grow by more before it is worth the pause');
});

void t.test(
  'a small heap is collected while some work goes on, as the pause is short; a large one is not',
  async (t) => {
    const clock = new VirtualClock();
    const heap = new Heap();
    returnMemoryWhenQuiet(clock, heap);
    heap.hold(500, 100).busy(0.06);
    await clock.advance(60_000);
    t.equal(heap.collections, 0);
    heap.hold(100, 60);
    await clock.advance(10_000);
    t.same([heap.collections, heap.compactions], [1, 1], 'and its pages are emptied');
    heap.hold(500, 400).busy(0.01);
    await clock.advance(10_000);
    t.same([heap.collections, heap.compactions], [2, 1], 'those of a large one are not');
    await clock.advance(60_000);
    t.same([heap.collections, heap.compactions], [2, 1], 'where they are nearly full');
    heap.hold(2_000, 500);
    await clock.advance(10_000);
    t.same([heap.collections, heap.compactions], [3, 1]);
    heap.busy(0.06);
    await clock.advance(60_000);
    t.same([heap.collections, heap.compactions], [3, 1], 'nor while work goes on');
    heap.busy(0.01);
    await clock.advance(60_000);
    t.same([heap.collections, heap.compactions], [4, 2], 'else once');
  },
);

void t.test('the collector of a real thread', async (t) => {
  const clock = new VirtualClock();
  let garbage: object[] | null = Array.from({ length: 300_000 }, (_, i) => ({ i }));
  t.equal(garbage.length, 300_000);
  const before = process.memoryUsage().heapUsed;
  returnMemoryWhenQuiet(clock);
  await clock.advance(10_000);
  garbage = null;
  // What has run in between is little beside the time that passes.
  await new Promise((resolve) => setTimeout(resolve, 1_500));
  await clock.advance(10_000);
  t.ok(process.memoryUsage().heapUsed < before - 5 * MIB, 'has collected');
  t.notOk('gc' in globalThis, 'and is not there for everybody');
});

void t.test('threads that begin at the same time do not take the collector from each other', async (t) => {
  const thread = () => new Worker(new URL('../../support/quiet-thread.js', import.meta.url));
  const ends = await Promise.all(Array.from({ length: 3 }, () => once(thread(), 'message')));
  t.same(ends, [['done'], ['done'], ['done']]);
});
