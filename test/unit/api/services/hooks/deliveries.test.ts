// Messages of webhooks over hours and days of a clock that a test moves: in order, again after failures, one at a time of
// each account, and given up at last.
import t from 'tap';
import {
  Deliveries,
  deliveriesSchema,
  NO_DELIVERIES,
  type DeliveriesData,
} from '../../../../../api/services/hooks/deliveries.js';
import type { Message } from '../../../../../api/services/hooks/delivery-queue.js';
import { SILENT_LOG } from '../../../../support/api-harness.js';
import { MemoryCollection } from '../../../../support/memory-collection.js';
import { VirtualClock } from '../../../../support/virtual-clock.js';

const HOUR_MS = 3_600_000;
const [ONE, TWO, OTHERS] = [
  { id: 1, account_id: 7 },
  { id: 2, account_id: 7 },
  { id: 3, account_id: 8 },
];

function start(collection = new MemoryCollection(NO_DELIVERIES, (data) => deliveriesSchema.parse(data))) {
  const clock = new VirtualClock();
  const sent: Message[] = [];
  const waiting: { readonly message: Message; readonly end: (error?: Error) => void }[] = [];
  let answer: 'take' | 'refuse' | 'wait' = 'take';
  const deliveries = new Deliveries({
    ...{ collection, clock, random: () => 0, log: SILENT_LOG },
    send: async (message, signal) => {
      sent.push(message);
      if (answer === 'refuse') throw new Error('HTTP status 500');
      if (answer === 'take') return;
      await new Promise<void>((resolve, reject) => {
        signal.addEventListener('abort', () => reject(new Error('given up')));
        waiting.push({ message, end: (error) => (error ? reject(error) : resolve()) });
      });
    },
  });
  deliveries.start();
  return { clock, sent, waiting, deliveries, collection, set: (how: typeof answer) => void (answer = how) };
}

const texts = (messages: readonly Message[]) => messages.map(({ text }) => text);

void t.test('in order, the first one again until it arrives', async (t) => {
  const { clock, sent, deliveries, set } = start();
  set('refuse');
  deliveries.add(ONE, 'a');
  deliveries.add(ONE, 'b');
  await clock.settle();
  t.same(texts(sent), ['a']);
  t.match(deliveries.queueOf(1), { lastError: { message: 'HTTP status 500' }, nextMs: 5_000, lastSuccessMs: 0 });
  await clock.advance(4_999);
  t.equal(sent.length, 1);
  await clock.advance(1);
  t.same(texts(sent), ['a', 'a']);
  t.equal(sent[0]?.id, sent[1]?.id, 'its id is the same each time');
  set('take');
  await clock.advance(30_000);
  t.same(texts(sent), ['a', 'a', 'a', 'b']);
  t.match(deliveries.queueOf(1), { lastError: null, nextMs: null });
  t.equal(deliveries.queueOf(1)?.lastSuccessMs, deliveries.queueOf(1)?.lastAttemptMs);
  await deliveries.stop();
  t.equal(clock.pendingTimers, 0);
});

void t.test('of an account so many characters wait, and no more messages than fit', async (t) => {
  const { deliveries, set, clock } = start();
  set('refuse');
  const large = 'x'.repeat(1_000_000);
  for (const hook of [ONE, TWO, ONE, TWO]) deliveries.add(hook, large);
  deliveries.add(ONE, 'small');
  deliveries.add(OTHERS, large);
  const waiting = (id: number) => deliveries.queueOf(id)?.messages.map(({ text }) => text.length);
  t.same([waiting(1), waiting(2), waiting(3)], [[1_000_000, 5], [1_000_000], [1_000_000]]);
  t.same([deliveries.queueOf(1)?.dropped, deliveries.queueOf(2)?.dropped], [1, 1]);
  set('take');
  deliveries.hurry(2);
  await clock.settle();
  deliveries.add(TWO, large);
  t.equal(deliveries.queueOf(2)?.dropped, 1, 'there is room again');
  await deliveries.stop();
});

void t.test('a receiver that is gone is asked less and less, and messages are given up after three days', async (t) => {
  const { clock, sent, deliveries, set } = start();
  set('refuse');
  deliveries.add(ONE, 'old');
  await clock.advance(60 * HOUR_MS);
  t.ok(sent.length > 8 && sent.length < 25, `${sent.length} attempts`);
  deliveries.add(ONE, 'young');
  await clock.advance(20 * HOUR_MS);
  t.same(
    deliveries.queueOf(1)?.messages.map(({ text }) => text),
    ['young'],
  );
  t.equal(deliveries.queueOf(1)?.dropped, 1);
  set('take');
  deliveries.hurry(1);
  await clock.settle();
  t.equal(sent.at(-1)?.text, 'young', 'at once, when it is told to');
  await deliveries.stop();
});

void t.test('a slow receiver holds up its own account alone, whose webhooks take turns', async (t) => {
  const { clock, sent, waiting, deliveries, set } = start();
  set('wait');
  for (const text of ['a', 'b']) deliveries.add(ONE, text);
  deliveries.add(TWO, 'two');
  deliveries.add(OTHERS, 'others');
  await clock.settle();
  t.same(texts(sent).sort(), ['a', 'others']);
  waiting[0]?.end();
  await clock.settle();
  t.same(texts(sent).slice(2), ['two'], 'not the next one of the same webhook');
  set('take');
  for (const { end } of waiting) end();
  await clock.settle();
  t.same(texts(sent).slice(3), ['b']);
  await deliveries.stop();
});

void t.test('an account has room for so many; the others do not notice', async (t) => {
  const { clock, deliveries, set } = start();
  set('wait');
  for (let n = 0; n < 5_010; n++) deliveries.add(ONE, String(n));
  deliveries.add(TWO, 'of the same account');
  deliveries.add(OTHERS, 'of another');
  await clock.settle();
  t.same(
    [1, 2, 3].map((id) => deliveries.queueOf(id)?.dropped),
    [10, 1, 0],
  );
  deliveries.clear(1);
  deliveries.add(TWO, 'there is room again');
  t.equal(deliveries.queueOf(2)?.messages.length, 1);
});

void t.test(
  'what has not arrived is known to the next run; a webhook that is gone takes its messages along',
  async (t) => {
    const first = start();
    first.set('refuse');
    first.deliveries.add(ONE, 'a');
    first.deliveries.add(OTHERS, 'x');
    await first.clock.advance(3_000);
    first.deliveries.forget(3);
    await first.deliveries.stop();
    const second = start(first.collection);
    await second.clock.settle();
    t.same(texts(second.sent), ['a']);
    t.equal(second.sent[0]?.id, first.sent[0]?.id);
    await second.deliveries.stop();
    t.same(second.collection.data, { messages: [] });
  },
);

void t.test('an end breaks off what is under way; it is sent again after it', async (t) => {
  const { clock, sent, deliveries, collection, set } = start();
  set('wait');
  deliveries.add(ONE, 'a');
  await clock.settle();
  await deliveries.stop();
  t.same(texts(collection.data.messages), ['a']);
  set('take');
  deliveries.start();
  await clock.settle();
  t.same(texts(sent), ['a', 'a']);
  t.equal(sent[0]?.id, sent[1]?.id);
  await deliveries.stop();
  t.same(collection.data.messages, []);
});

void t.test('the longer it takes to store what waits, the more seldom it is done', async (t) => {
  const stored: (() => void)[] = [];
  class Slow extends MemoryCollection<DeliveriesData> {
    override async update(change: (data: DeliveriesData) => void): Promise<void> {
      await super.update(change);
      await new Promise<void>((resolve) => void stored.push(resolve));
    }
  }
  const { clock, deliveries, set } = start(new Slow(NO_DELIVERIES, (data) => deliveriesSchema.parse(data)));
  set('wait');
  deliveries.add(ONE, 'first');
  await clock.advance(2_000);
  t.equal(stored.length, 1);
  await clock.advance(1_000);
  stored[0]!();
  await clock.settle();
  deliveries.add(ONE, 'second');
  await clock.advance(19_999);
  t.equal(stored.length, 1);
  await clock.advance(1);
  t.equal(stored.length, 2, 'twenty times as long as it took');
  stored[1]!();
  await clock.settle();
  deliveries.add(ONE, 'third');
  await clock.advance(2_000);
  t.equal(stored.length, 3, 'and as soon as ever when it is quick again');
  stored[2]!();
  const stopped = deliveries.stop();
  await clock.settle();
  stored[3]!();
  await stopped;
});

void t.test('what is left for the front that sends has no more room than what that keeps', async (t) => {
  const { clock, sent, deliveries, collection } = start();
  await deliveries.stop();
  await collection.update((data) => {
    for (let n = 0; n < 4_999; n++) {
      data.messages.push({ id: `msg_${n}`, webhook_id: 1, account_id: 7, text: '', unix_ms: 0 });
    }
  });
  deliveries.add(ONE, 'last');
  deliveries.add(TWO, 'too many');
  deliveries.add(OTHERS, 'of another');
  await clock.settle();
  t.same(texts(collection.data.messages).slice(4_999), ['last', 'of another']);
  t.equal(deliveries.queueOf(2)?.dropped, 1);
  t.same(sent, []);
});
