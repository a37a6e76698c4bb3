// What belongs together goes to the page together, in its order.
import t from 'tap';
import type { FromWorker } from '../../../../api/web/src/live/messages.js';
import { Outbox } from '../../../../api/web/src/live/outbox.js';

const torrents = (id: string): FromWorker => ({
  kind: 'torrents',
  changes: { added: [], patches: [{ id }], removed: [] },
});
const OPEN: FromWorker = { kind: 'state', state: { kind: 'open' } };

/** An outbox, what it has posted, and a wait for the next post. */
function start() {
  const posted: (readonly FromWorker[])[] = [];
  let wake = (): void => undefined;
  const outbox = new Outbox((messages) => {
    posted.push(messages);
    wake();
  });
  return { outbox, posted, next: () => new Promise<void>((resolve) => (wake = resolve)) };
}

void t.test('what is held goes with what is sent next', async (t) => {
  const { outbox, posted, next } = start();
  outbox.hold(torrents('1'));
  outbox.hold(torrents('2'));
  t.same(posted, []);
  outbox.send(OPEN);
  t.same(posted, [[torrents('1'), torrents('2'), OPEN]]);
  outbox.send(OPEN);
  outbox.hold(torrents('3'));
  await next();
  t.same(posted.slice(1), [[OPEN], [torrents('3')]], 'and nothing twice');
});

void t.test('what is held goes alone when nothing follows', async (t) => {
  const { outbox, posted, next } = start();
  outbox.hold(torrents('1'));
  await next();
  t.same(posted, [[torrents('1')]]);
});
