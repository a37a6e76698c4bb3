import t from 'tap';
import { TaskQueue } from '../../../../engine/hashing/task-queue.js';

const queueOf = (maxBytes: number, maxItems: number, ...lengths: number[]): TaskQueue<{ length: number }> => {
  const queue = new TaskQueue<{ length: number }>(maxBytes, maxItems);
  for (const length of lengths) queue.push({ length });
  return queue;
};

const tasks = (queue: TaskQueue<{ length: number }>): string => {
  const shown: string[] = [];
  for (let batch = queue.take(); batch.length > 0; batch = queue.take()) {
    shown.push(batch.map((item) => item.length).join('+'));
  }
  return shown.join(' ');
};

void t.test('items are packed in order, up to a size and a count', async (t) => {
  t.equal(tasks(queueOf(10, 3, 4, 4, 4, 1, 1, 1, 1)), '4+4 4+1+1 1+1');
  t.equal(tasks(queueOf(10, 3, 25, 5, 5, 11)), '25 5+5 11', 'a large one travels alone');
  t.equal(tasks(queueOf(10, 3)), '');
  t.equal(tasks(queueOf(10, 2, 0, 0, 0)), '0+0 0');
});

void t.test('all that waits can be taken at once', async (t) => {
  const queue = queueOf(10, 3, 6, 6, 6);
  queue.take();
  t.equal(queue.size, 2);
  t.equal(queue.takeAll().length, 2);
  t.equal(queue.size, 0);
  queue.push({ length: 1 });
  t.equal(tasks(queue), '1');
});
