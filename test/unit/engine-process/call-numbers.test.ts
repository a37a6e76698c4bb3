import t from 'tap';
import { CallNumbers } from '../../../engine-process/call-numbers.js';

void t.test('each call is taken once', async (t) => {
  const calls = new CallNumbers();
  t.same(
    [1, 2, 3].map((id) => calls.take(id)),
    [true, true, true],
  );
  t.same(
    [1, 3, 0].map((id) => calls.take(id)),
    [false, false, false],
    'played again',
  );
});

void t.test('a large one that others have overtaken comes later', async (t) => {
  const calls = new CallNumbers();
  t.ok(calls.take(2));
  t.ok(calls.take(4));
  t.ok(calls.take(1));
  t.notOk(calls.take(1));
  t.ok(calls.take(3));
});

void t.test('numbers far from the others are no call of this stream', async (t) => {
  t.notOk(new CallNumbers().take(66));
  const calls = new CallNumbers();
  t.ok(calls.take(64));
  t.notOk(calls.take(128));
});
