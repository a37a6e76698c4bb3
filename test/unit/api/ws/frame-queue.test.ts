// What waits for a slow client: at most 64 frames or 8 MiB, ticks replaced by newer ones.
import t from 'tap';
import { FrameQueue } from '../../../../api/ws/frame-queue.js';
import type { Frame } from '../../../../api/ws/frames.js';

const MIB = 1024 * 1024;

function frame(type: Frame['type'], text: string | number = ''): Frame {
  const bytes = typeof text === 'number' ? Buffer.alloc(text) : Buffer.from(text);
  return { type, length: bytes.length, plain: () => [bytes], deflated: null };
}

function textOf({ plain }: Frame): string {
  return Buffer.concat(plain()).toString();
}

/** All that comes out of it, as text. */
function drain(queue: FrameQueue): string[] {
  const texts: string[] = [];
  queue.sent();
  for (let next = queue.take(); next; next = queue.take()) {
    texts.push(textOf(next));
    queue.sent();
  }
  return texts;
}

void t.test('one at a time, in the order in which they came', async (t) => {
  const queue = new FrameQueue();
  t.equal(queue.take(), null);
  queue.push(frame('torrents:tick', 'a'));
  queue.push(frame('stats:tick', 'b'));
  t.equal(textOf(queue.take()!), 'a');
  t.equal(queue.take(), null, 'while one is being sent');
  t.same(drain(queue), ['b']);
  t.equal(queue.dropped, 0);
});

void t.test('a newer tick takes the place of the one that waits, not of the one that is being sent', async (t) => {
  const queue = new FrameQueue();
  for (const text of ['1', '2', '3']) {
    queue.push(frame('torrents:tick', `torrents ${text}`));
    queue.push(frame('stats:tick', `stats ${text}`));
    if (text === '1') queue.take();
  }
  t.equal(queue.dropped, 3, 'stats 1 and 2, torrents 2');
  t.same(drain(queue), ['stats 3', 'torrents 3']);
});

void t.test('updates are not replaced; 64 frames are the end', async (t) => {
  const queue = new FrameQueue();
  queue.push(frame('torrents:tick', 'sending'));
  queue.take();
  for (let i = 0; i < 70; i++) queue.push(frame('update:available', String(i)));
  t.equal(queue.dropped, 70 - 63);
  queue.push(frame('stats:tick', 'no place left'));
  t.equal(queue.dropped, 8);
  t.same(
    drain(queue),
    Array.from({ length: 63 }, (_, i) => String(i)),
  );
});

void t.test('not more than 8 MiB wait, but always one frame, however large', async (t) => {
  const queue = new FrameQueue();
  queue.push(frame('torrents:tick', 9 * MIB));
  t.equal(queue.take()?.length, 9 * MIB);
  queue.push(frame('stats:tick', 'x'));
  queue.push(frame('torrents:tick', 9 * MIB));
  t.equal(queue.dropped, 0, 'nor does it keep others from waiting');
  queue.push(frame('torrents:tick', 9 * MIB));
  t.equal(queue.dropped, 1);
  t.same(
    drain(queue).map(({ length }) => length),
    [1, 9 * MIB],
  );
  queue.push(frame('torrents:tick', 5 * MIB));
  queue.push(frame('inspector:tick', 3 * MIB));
  queue.push(frame('stats:tick', 1));
  t.equal(queue.dropped, 2, 'over by one byte');
  queue.push(frame('torrents:tick', 4 * MIB));
  t.equal(queue.dropped, 3, 'the smaller one took the place of the larger one');
  queue.push(frame('stats:tick', 1 * MIB));
  t.equal(queue.dropped, 3);
  queue.push(frame('torrents:tick', 4 * MIB + 1));
  t.equal(queue.dropped, 4, 'the one that waits stays');
  t.same(
    drain(queue).map(({ length }) => length),
    [4 * MIB, 3 * MIB, 1 * MIB],
  );
});

void t.test('cleared, it still counts what is being sent', async (t) => {
  const queue = new FrameQueue();
  queue.push(frame('torrents:tick', 8 * MIB));
  queue.take();
  queue.clear();
  queue.push(frame('stats:tick', 1));
  t.equal(queue.dropped, 1);
  queue.sent();
  queue.push(frame('stats:tick', 'y'));
  t.same(drain(queue), ['y']);
});

void t.test('deltas follow each other; a full list takes the place of all that wait', async (t) => {
  const queue = new FrameQueue();
  queue.push(frame('torrents:tick', 'sending'));
  queue.take();
  for (const text of ['full', '1', '2']) queue.push(frame(text === 'full' ? 'torrents:tick' : 'torrents:delta', text));
  t.equal(queue.dropped, 0);
  queue.push(frame('stats:tick', 'stats'));
  queue.push(frame('torrents:delta', '3'));
  t.ok(queue.push(frame('torrents:tick', 'newer')));
  t.equal(queue.dropped, 4);
  t.ok(queue.push(frame('torrents:delta', '4')));
  t.same(drain(queue), ['newer', 'stats', '4']);
});

void t.test('whoever is too far behind loses deltas, and is told so', async (t) => {
  const queue = new FrameQueue();
  const taken = Array.from({ length: 20 }, (_, i) => queue.push(frame('torrents:delta', String(i))));
  t.same(taken.indexOf(false), 16);
  t.equal(queue.dropped, 4);
  t.ok(queue.push(frame('stats:tick', 'stats')), 'they keep nothing else from waiting');
  t.ok(queue.push(frame('torrents:tick', 8 * MIB - 5)), 'nor does what they weighed');
});
