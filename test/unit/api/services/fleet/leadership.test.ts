// One of several fronts leads, and never two at a time: whatever becomes of the one, or of the database.
import t from 'tap';
import { Leadership, LEASE_MS } from '../../../../../api/services/fleet/leadership.js';
import { AppError } from '../../../../../shared-protocol/errors.js';
import { createMemoryLeases } from '../../../../../storage/memory-leases.js';
import type { Leases } from '../../../../../storage/types.js';
import { VirtualClock } from '../../../../support/virtual-clock.js';

interface Front {
  /** Does not reach the database. */
  isCut: boolean;
  /** Its answers come after this. */
  delayMs: number;
  /** Cannot begin. */
  isBroken: 'catching up' | 'making' | null;
  starts: number;
}

function scene() {
  const clock = new VirtualClock();
  const leases = createMemoryLeases(clock);
  /** Fronts whose services run, and the most that did so at a time. */
  const running = new Set<string>();
  let most = 0;
  const fronts = new Map<string, Front & { readonly leadership: Leadership }>();
  const add = (name: string) => {
    const front: Front = { isCut: false, delayMs: 0, isBroken: null, starts: 0 };
    const after = (ms: number) => new Promise<void>((resolve) => void clock.after(ms, resolve));
    const reach = async <Result>(ask: () => Promise<Result>): Promise<Result> => {
      if (front.isCut) throw new AppError('STORAGE_FAILED', 'away');
      const result = await ask();
      if (front.delayMs > 0) await after(front.delayMs);
      return result;
    };
    const own: Leases = {
      claim: (...given) => reach(() => leases.claim(...given)),
      renew: (...given) => reach(() => leases.renew(...given)),
      release: (...given) => reach(() => leases.release(...given)),
      onReleased: (listener) => leases.onReleased(listener),
    };
    const log = { info: () => undefined, warn: () => undefined };
    const catchUp = async () => {
      if (front.isBroken === 'catching up') throw new AppError('STORAGE_FAILED', 'away');
    };
    const leadership = new Leadership({ leases: own, holder: name, clock, log, catchUp });
    leadership.perform(() => {
      if (front.isBroken === 'making') throw new Error('bug: cannot be made');
      return [
        {
          start() {
            front.starts++;
            running.add(name);
            most = Math.max(most, running.size);
          },
          async stop() {
            // What is under way takes a moment.
            await after(1_000);
            running.delete(name);
          },
        },
      ];
    });
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

void t.test('one whose renewal is answered late goes on once what it had begun has ended', async (t) => {
  const { add, pass, running, most } = scene();
  const one = add('one');
  await pass(1_000);
  one.delayMs = 8_000;
  await pass(11_500);
  t.same([one.leadership.leads, ...running], [false], 'it has stopped in time');
  one.delayMs = 0;
  await pass(1_000);
  t.same([one.leadership.leads, ...running], [true, 'one'], 'at once, the lease being its own still');
  t.equal(most(), 1);
});

void t.test('one that ends while its renewal is answered late leaves the lease to others', async (t) => {
  const { add, pass, running } = scene();
  const one = add('one');
  await pass(1_000);
  add('other');
  one.delayMs = 8_000;
  await pass(11_500);
  const stopped = one.leadership.stop();
  one.delayMs = 0;
  await pass(2_000);
  await stopped;
  t.same([...running], ['other'], 'not when it has run out');
});

for (const isBroken of ['catching up', 'making'] as const) {
  void t.test(
    `one that fails at ${isBroken} does not lead; it tries again, and leaves the lease when it ends`,
    async (t) => {
      const { add, pass, running } = scene();
      const one = add('one');
      one.isBroken = isBroken;
      await pass(12_000);
      t.same([one.leadership.leads, ...running], [false]);
      one.isBroken = null;
      await pass(6_000);
      t.same([one.leadership.leads, ...running], [true, 'one']);

      const { add: addOther, pass: passOther, running: runningThere } = scene();
      const broken = addOther('broken');
      broken.isBroken = isBroken;
      await passOther(7_000);
      addOther('other');
      await passOther(1_000);
      const stopped = broken.leadership.stop();
      await passOther(1_000);
      await stopped;
      t.same([...runningThere], ['other']);
    },
  );
}
