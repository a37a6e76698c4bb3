// One of several fronts leads, and never two at a time: whatever becomes of the one, or of the database.
import t from 'tap';
import { Leadership, LEASE_MS } from '../../../../../api/services/fleet/leadership.js';
import { AppError } from '../../../../../shared-protocol/errors.js';
import { createMemoryLeases } from '../../../../../storage/memory-leases.js';
import type { Leases } from '../../../../../storage/types.js';
import { VirtualClock } from '../../../../support/virtual-clock.js';

function scene() {
  const clock = new VirtualClock();
  const leases = createMemoryLeases(clock);
  /** Fronts whose services run, and the most that did so at a time. */
  const running = new Set<string>();
  let most = 0;
  const fronts = new Map<string, { readonly leadership: Leadership; isCut: boolean; starts: number }>();
  const add = (name: string) => {
    const front = { isCut: false, starts: 0 };
    const reach = <Result>(ask: () => Promise<Result>): Promise<Result> =>
      front.isCut ? Promise.reject(new AppError('STORAGE_FAILED', 'away')) : ask();
    const own: Leases = {
      claim: (...given) => reach(() => leases.claim(...given)),
      renew: (...given) => reach(() => leases.renew(...given)),
      release: (...given) => reach(() => leases.release(...given)),
      onReleased: (listener) => leases.onReleased(listener),
    };
    const log = { info: () => undefined, warn: () => undefined };
    const leadership = new Leadership({ leases: own, holder: name, clock, log, catchUp: async () => undefined });
    leadership.perform(() => [
      {
        start() {
          front.starts++;
          running.add(name);
          most = Math.max(most, running.size);
        },
        async stop() {
          // What is under way takes a moment.
          await new Promise<void>((resolve) => void clock.after(1_000, resolve));
          running.delete(name);
        },
      },
    ]);
    const known = Object.assign(front, { leadership });
    fronts.set(name, known);
    leadership.start();
    return known;
  };
  const pass = async (ms: number) => {
    for (let passed = 0; passed < ms; passed += 500) await clock.advance(500);
  };
  return { add, pass, running, fronts, most: () => most };
}

void t.test('the first one leads, and another once that has stopped', async (t) => {
  const { add, pass, running, most } = scene();
  const one = add('one');
  await pass(1_000);
  const other = add('other');
  await pass(60_000);
  t.same([...running], ['one']);
  t.same([one.leadership.leads, other.leadership.leads], [true, false]);
  t.equal(one.starts, 1, 'once');
  const stopped = one.leadership.stop();
  await pass(2_000);
  await stopped;
  t.same([...running], ['other'], 'at once, not when the lease has run out');
  t.equal(most(), 1, 'never two at a time');
});

void t.test('one that cannot renew has stopped before another begins, and may lead again', async (t) => {
  const { add, pass, running, most } = scene();
  const one = add('one');
  await pass(1_000);
  const other = add('other');
  await pass(20_000);
  one.isCut = true;
  await pass(LEASE_MS - 3_000);
  t.same([...running], [], 'it has stopped, and the lease has not run out');
  await pass(10_000);
  t.same([...running], ['other']);
  one.isCut = false;
  await pass(30_000);
  t.same([...running], ['other']);
  other.isCut = true;
  await pass(30_000);
  t.same([...running], ['one']);
  t.equal(one.starts, 2);
  t.equal(most(), 1, 'never two at a time');
});

void t.test('where the database is away for all of them nobody leads, and one of them does after it', async (t) => {
  const { add, pass, running, fronts, most } = scene();
  for (const name of ['a', 'b', 'c']) add(name);
  await pass(2_000);
  t.equal(running.size, 1);
  for (const front of fronts.values()) front.isCut = true;
  await pass(60_000);
  t.equal(running.size, 0);
  for (const front of fronts.values()) front.isCut = false;
  await pass(LEASE_MS);
  t.equal(running.size, 1);
  t.equal(most(), 1, 'never two at a time');
});
