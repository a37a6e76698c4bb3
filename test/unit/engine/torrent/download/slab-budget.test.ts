// The slab as torrents share it: fair shares while several download, all of it for one that is alone.
import t from 'tap';
import { createSlab } from '../../../../../engine/hashing/index.js';
import type { SlabRegion } from '../../../../../engine/hashing/types.js';
import { SlabBudget, type SlabUser } from '../../../../../engine/torrent/download/slab-budget.js';

const PAGE = 16 * 1024;

class User implements SlabUser {
  readonly regions: SlabRegion[] = [];
  told = 0;
  onRoom: () => void = () => undefined;

  constructor(private readonly room: SlabBudget) {
    room.join(this);
  }

  get slabBytes(): number {
    return this.regions.reduce((sum, { length }) => sum + length, 0);
  }

  take(pages: number): boolean {
    const region = this.room.allocate(this, pages * PAGE);
    if (region) this.regions.push(region);
    return region !== null;
  }

  give(): void {
    const region = this.regions.shift();
    if (region) this.room.release(region);
  }

  onSlabRoom(): void {
    this.told++;
    this.onRoom();
  }
}

const microtasks = (): Promise<void> => new Promise((resolve) => void setImmediate(resolve));

void t.test('one torrent alone may take it all', async (t) => {
  const user = new User(new SlabBudget(createSlab(8 * PAGE)));
  for (let i = 0; i < 8; i++) t.equal(user.take(1), true);
  t.equal(user.take(1), false);
});

void t.test('two get half each, but each at least one piece', async (t) => {
  const room = new SlabBudget(createSlab(8 * PAGE));
  const [left, right] = [new User(room), new User(room)];
  for (let i = 0; i < 4; i++) t.equal(left.take(1), true);
  t.equal(left.take(1), false, 'more than its share');
  t.equal(right.take(4), true);
  t.equal(room.usedBytes, 8 * PAGE);
  const third = new User(room);
  left.give();
  left.give();
  left.give();
  left.give();
  t.equal(third.take(4), true, 'its first piece may be larger than its share');
  t.equal(third.take(1), false);
});

void t.test('whoever found no room is told once when some comes', async (t) => {
  const room = new SlabBudget(createSlab(4 * PAGE));
  const [owner, waiting, content] = [new User(room), new User(room), new User(room)];
  owner.take(4);
  t.equal(waiting.take(1), false);
  t.equal(waiting.take(1), false);
  owner.give();
  t.equal(waiting.told, 0, 'not within the release');
  await microtasks();
  t.equal(waiting.told, 1);
  t.equal(content.told, 0);
  t.equal(waiting.take(1), true);
  waiting.give();
  await microtasks();
  t.equal(waiting.told, 1);
});

void t.test('one that is refused again is told again', async (t) => {
  const room = new SlabBudget(createSlab(4 * PAGE));
  const [first, second] = [new User(room), new User(room)];
  first.take(2);
  first.onRoom = () => void first.take(1);
  second.take(2);
  second.onRoom = () => void second.take(2);
  t.equal(first.take(1), false);
  t.equal(second.take(2), false);
  second.give();
  await microtasks();
  t.equal(second.slabBytes, 2 * PAGE);
  first.give();
  await microtasks();
  t.equal(first.slabBytes, PAGE);
});

void t.test('one that has left is told nothing', async (t) => {
  const room = new SlabBudget(createSlab(2 * PAGE));
  const [owner, gone] = [new User(room), new User(room)];
  owner.take(2);
  gone.take(1);
  room.leave(gone);
  owner.give();
  await microtasks();
  t.equal(gone.told, 0);
});

void t.test('one that leaves while the others are being told is told nothing either', async (t) => {
  const room = new SlabBudget(createSlab(2 * PAGE));
  const [owner, first, second] = [new User(room), new User(room), new User(room)];
  owner.take(2);
  first.take(1);
  second.take(1);
  first.onRoom = () => room.leave(second);
  owner.give();
  await microtasks();
  t.same([first.told, second.told], [1, 0]);
});

void t.test('those that wait for a larger share are told when another leaves', async (t) => {
  const room = new SlabBudget(createSlab(4 * PAGE));
  const [staying, leaving] = [new User(room), new User(room)];
  staying.take(2);
  t.equal(staying.take(1), false);
  room.leave(leaving);
  await microtasks();
  t.equal(staying.told, 1);
});
