// Turns of accounts that have media files looked at: a look takes as long as the test says.
import { setImmediate as turn } from 'node:timers/promises';
import t from 'tap';
import { LookingTurns, SLOW_FOR_MS, SLOW_MS } from '../../../../../../api/services/library/media-info/looking-turns.js';
import { parseAccountId } from '../../../../../../shared-protocol/ids.js';
import { VirtualClock } from '../../../../../support/virtual-clock.js';

function start() {
  const clock = new VirtualClock();
  const turns = new LookingTurns(clock);
  const running = new Map<number, () => void>();
  const look = (account: number, { signal } = new AbortController()) =>
    turns.run(parseAccountId(account), signal, () => new Promise<void>((end) => running.set(account, end)));
  const end = async (account: number, afterMs = 0) => {
    await clock.advance(afterMs);
    running.get(account)!();
    running.delete(account);
    await turn();
  };
  return {
    clock,
    /** Accounts whose files are looked at. */
    now: () => [...running.keys()].sort(),
    end,
    async ask(...accounts: readonly number[]) {
      for (const account of accounts) void look(account);
      await turn();
    },
    look,
    /** Makes an account one whose files take long. */
    async slow(account: number) {
      void look(account);
      await turn();
      await end(account, SLOW_MS);
    },
  };
}

void t.test('two at a time, in the order in which they came', async (t) => {
  const { ask, end, now } = start();
  await ask(1, 2, 3, 4);
  t.same(now(), [1, 2]);
  await end(2, SLOW_MS - 1);
  t.same(now(), [1, 3]);
  await end(1);
  t.same(now(), [3, 4]);
});

void t.test('accounts whose files took long have one place together, and come last', async (t) => {
  const { ask, clock, end, now, slow } = start();
  for (const account of [1, 2, 3]) await slow(account);
  await ask(1, 2, 3);
  t.same(now(), [1], 'a place is left for others');
  await ask(4, 5);
  t.same(now(), [1, 4]);
  await end(4);
  t.same(now(), [1, 5]);
  await ask(6);
  await end(1);
  t.same(now(), [5, 6], 'who came before them waits');
  await end(5);
  t.same(now(), [2, 6]);
  await end(2);
  await end(6);
  t.same(now(), [3]);
  await end(3);
  await clock.advance(SLOW_FOR_MS);
  await ask(1, 2);
  t.same(now(), [1, 2], 'it is forgotten');
});

void t.test('who does not wait any more leaves, and what fails gives its place back', async (t) => {
  const { ask, end, look, now } = start();
  await ask(1, 2);
  const asking = new AbortController();
  const waiting = look(3, asking);
  asking.abort();
  await t.rejects(waiting, { name: 'AbortError' });
  await t.rejects(look(3, asking), { name: 'AbortError' }, 'nor does it begin to');
  await end(1);
  t.same(now(), [2]);
  const turns = new LookingTurns(new VirtualClock());
  const { signal } = new AbortController();
  for (let time = 0; time < 3; time++) {
    const failing = turns.run(parseAccountId(1), signal, () => Promise.reject(new Error('broken')));
    await t.rejects(failing, { message: 'broken' });
  }
});
