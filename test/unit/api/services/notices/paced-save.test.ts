// Something that changes often is stored now and then, all of it, and at once when somebody waits for it.
import { mock } from 'node:test';
import t, { type Test } from 'tap';
import { PacedSave } from '../../../../../api/services/notices/paced-save.js';

const EVERY_MS = 2_000;

function start(t: Test) {
  mock.timers.enable({ apis: ['setTimeout'] });
  t.teardown(() => mock.timers.reset());
  const disk = { value: 0, stored: [] as number[], failed: [] as unknown[], isFull: false };
  const save = new PacedSave({
    async store() {
      const { value } = disk;
      await Promise.resolve();
      if (disk.isFull) throw new Error('no room');
      disk.stored.push(value);
    },
    onFailed: (error) => disk.failed.push(error),
  });
  const settled = () => new Promise((resolve) => setImmediate(resolve));
  return { disk, save, settled };
}

void t.test('a thousand changes are stored twice', async (t) => {
  const { disk, save, settled } = start(t);
  for (let value = 1; value <= 1_000; value++) {
    disk.value = value;
    save.soon();
    if (value % 100 === 0) await settled();
  }
  t.same(disk.stored, [100], 'the first, with what came in the same moment');
  mock.timers.tick(EVERY_MS - 1);
  await settled();
  t.equal(disk.stored.length, 1);
  mock.timers.tick(1);
  await settled();
  t.same(disk.stored, [100, 1_000]);
  mock.timers.tick(10 * EVERY_MS);
  await settled();
  t.equal(disk.stored.length, 2, 'and no more');
  disk.value = 1_001;
  save.soon();
  await settled();
  t.equal(disk.stored.at(-1), 1_001, 'at once after a rest');
});

void t.test('who waits does not wait for the pace', async (t) => {
  const { disk, save, settled } = start(t);
  save.soon();
  await settled();
  disk.value = 1;
  save.soon();
  disk.value = 2;
  await save.now();
  t.same(disk.stored, [0, 2]);
});

void t.test('at the end the rest is stored', async (t) => {
  const { disk, save, settled } = start(t);
  save.soon();
  await settled();
  disk.value = 1;
  save.soon();
  await save.finish();
  t.same(disk.stored, [0, 1]);
  await save.finish();
  t.equal(disk.stored.length, 2);
});

void t.test('what could not be stored is stored with what comes next', async (t) => {
  const { disk, save, settled } = start(t);
  disk.isFull = true;
  disk.value = 1;
  save.soon();
  await settled();
  t.equal(disk.failed.length, 1);
  await t.rejects(save.now(), /no room/);
  disk.isFull = false;
  disk.value = 2;
  await save.now();
  t.same(disk.stored, [2]);
});

void t.test('whoever waits finds it stored, at whichever moment it was asked for', async (t) => {
  const { disk, save } = start(t);
  for (let steps = 0; steps < 12; steps++) {
    const before = save.now();
    for (let step = 0; step < steps; step++) await Promise.resolve();
    disk.value++;
    await save.now();
    t.equal(disk.stored.at(-1), disk.value, `${steps} steps later`);
    await before;
  }
});
