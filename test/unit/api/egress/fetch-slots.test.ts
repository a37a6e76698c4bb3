// Who fetches and who waits: few of each account, and always one for the service itself.
import t from 'tap';
import { FetchSlots } from '../../../../api/egress/fetch-slots.js';
import { abortForMany } from '../../../../shared-protocol/abort-for-many.js';
import { parseAccountId } from '../../../../shared-protocol/ids.js';
import type { Caller } from '../../../../shared-protocol/names/name-resolver.js';

const accounts = Array.from({ length: 20 }, (_, n) => parseAccountId(n + 1));
const never = abortForMany().signal;

function setUp() {
  const slots = new FetchSlots();
  const running: { readonly caller: Caller; readonly end: () => void }[] = [];
  const begin = (caller: Caller, signal = never) =>
    slots.run(caller, signal, () => new Promise<void>((end) => running.push({ caller, end })));
  const runningOf = (caller: Caller) => running.filter((one) => one.caller === caller).length;
  return { slots, running, begin, runningOf };
}

void t.test('two of an account run, four wait, the rest is refused', async (t) => {
  const { running, begin, runningOf } = setUp();
  const [bob, alice] = [accounts[0]!, accounts[1]!];
  const all = Array.from({ length: 72 }, () => begin(bob));
  const refused = await Promise.all(all.slice(6));
  t.same(refused, Array<null>(66).fill(null));
  t.equal(runningOf(bob), 2);
  void begin(alice);
  void begin(null);
  t.same([runningOf(alice), runningOf(null)], [1, 1]);
  for (let n = 0; n < 6; n++) {
    running[n < 2 ? n : n + 2]!.end();
    await all[n];
  }
  t.equal(runningOf(bob), 6, 'those that waited had their turn');
});

void t.test('accounts together leave one to the service', async (t) => {
  const { running, begin, runningOf } = setUp();
  const all = accounts.map((account) => begin(account));
  t.equal(running.length, 7);
  const own = begin(null);
  t.equal(runningOf(null), 1);
  running.find(({ caller }) => caller === null)?.end();
  await own;
  t.equal(running.length, 8, 'which no account takes');
  running[0]!.end();
  await all[0];
  t.equal(running.at(-1)?.caller, accounts[7], 'who has waited longest is next');
});

void t.test('who gives up before the turn has left the line', async (t) => {
  const { begin } = setUp();
  const bob = accounts[0]!;
  void begin(bob);
  void begin(bob);
  const giveUp = new AbortController();
  const waiting = Array.from({ length: 4 }, () => begin(bob, giveUp.signal));
  t.equal(await begin(bob), null);
  giveUp.abort();
  for (const one of waiting) await t.rejects(one, { message: 'given up' });
  await t.rejects(begin(bob, giveUp.signal), { message: 'given up' });
});
