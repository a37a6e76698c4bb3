import t from 'tap';
import { EventBatch } from '../../../shared-protocol/event-batch.js';
import type { EngineEvent } from '../../../shared-protocol/events.js';
import { parseInfoHash } from '../../../shared-protocol/ids.js';

const removed = (digit: string): EngineEvent => ({
  name: 'torrent.removed',
  payload: { id: parseInfoHash(digit.repeat(40)) },
});
const logged = (level: 'error' | 'warn'): EngineEvent => ({
  name: 'log',
  payload: { level, message: 'said', fields: {} },
});
const turn = (): Promise<void> => new Promise((resolve) => setImmediate(resolve));

function create(): { sent: (readonly EngineEvent[])[]; batch: EventBatch } {
  const sent: (readonly EngineEvent[])[] = [];
  return { sent, batch: new EventBatch((events) => void sent.push(events)) };
}

void t.test('events of one turn go out together at its end, in order', async (t) => {
  const { sent, batch } = create();
  const [a, b, c] = [removed('a'), logged('warn'), removed('c')];
  batch.add(a);
  await Promise.resolve();
  batch.add(b);
  t.strictSame(sent, [], 'not while the turn goes on');
  await turn();
  t.strictSame(sent, [[a, b]]);
  batch.add(c);
  await turn();
  t.strictSame(sent, [[a, b], [c]], 'the next turn has a message of its own');
});

void t.test('a flush sends what there is, once, and what follows is not kept back', async (t) => {
  const { sent, batch } = create();
  batch.flush();
  t.strictSame(sent, [], 'nothing, where there is nothing');
  const [a, b] = [removed('a'), removed('b')];
  batch.add(a);
  batch.flush();
  batch.add(b);
  t.strictSame(sent, [[a]]);
  await turn();
  t.strictSame(sent, [[a], [b]]);
  await turn();
  t.equal(sent.length, 2, 'no empty message after it');
});

void t.test('an error goes out at once, behind what came before it', (t) => {
  const { sent, batch } = create();
  const [a, failed] = [removed('a'), logged('error')];
  batch.add(a);
  batch.add(failed);
  t.strictSame(sent, [[a, failed]]);
  t.end();
});
