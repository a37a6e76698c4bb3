// Work in a row: in order, one at a time, whatever comes of what was before it.
import t from 'tap';
import { SerialQueue } from '../../../../engine/util/serial-queue.js';

void t.test('each begins when the one before has ended', async (t) => {
  const queue = new SerialQueue();
  const said: string[] = [];
  const work = (name: string, turns: number) =>
    queue.run(async () => {
      said.push(`${name} begins`);
      for (let turn = 0; turn < turns; turn++) await Promise.resolve();
      said.push(`${name} ends`);
      return name;
    });
  t.same(await Promise.all([work('long', 20), work('short', 1), work('none', 0)]), ['long', 'short', 'none']);
  t.same(
    said,
    ['long', 'short', 'none'].flatMap((name) => [`${name} begins`, `${name} ends`]),
  );
  said.length = 0;
  // Also where the queue has been at rest, and where work is handed in by whoever waited for the last.
  await work('first', 3);
  await Promise.all([work('second', 5), work('third', 0)]);
  t.same(
    said,
    ['first', 'second', 'third'].flatMap((name) => [`${name} begins`, `${name} ends`]),
  );
});

void t.test('a failure is told to who asked, and stops nothing', async (t) => {
  const queue = new SerialQueue();
  const failing = queue.run(() => Promise.reject(new Error('the disk is full')));
  const after = queue.run(() => Promise.resolve('done'));
  await t.rejects(failing, { message: 'the disk is full' });
  t.equal(await after, 'done');
  await t.rejects(
    queue.run(() => Promise.reject(new Error('again'))),
    { message: 'again' },
  );
  t.equal(await queue.run(() => Promise.resolve('alone')), 'alone');
});
