// How soon people are told that nothing comes: within 4 s of the last frame, or of waking. By a clock of its own.
import { setImmediate as nextTurn } from 'node:timers/promises';
import { mock } from 'node:test';
import t from 'tap';
import { Watchdog } from '../../../../api/web/src/live/watchdog.js';

/** The shortest step that a look or an answer is a multiple of. */
const STEP_MS = 100;
const TOLD_WITHIN_MS = 4_000;

interface World {
  nowMs: number;
  readonly told: string[];
  /** For how long the server takes to answer; Infinity: not at all. */
  answersAfterMs: number;
  readonly watchdog: Watchdog;
  /** Time that goes by with the page awake. */
  pass(ms: number): Promise<void>;
}

function startWorld(t: { teardown(run: () => void): void }): World {
  mock.timers.enable({ apis: ['setInterval'] });
  const due: { readonly atMs: number; readonly answer: () => void }[] = [];
  const state = { nowMs: 1_000_000, answersAfterMs: 0 };
  const told: string[] = [];
  const watchdog = new Watchdog({
    nowMs: () => state.nowMs,
    isAnswering: (withinMs) =>
      new Promise((resolve) => {
        const takesMs = Math.min(withinMs, state.answersAfterMs);
        due.push({ atMs: state.nowMs + takesMs, answer: () => resolve(state.answersAfterMs <= withinMs) });
      }),
    onSilent: () => told.push('silent'),
    onDead: () => told.push('dead'),
  });
  t.teardown(() => (watchdog.stop(), mock.timers.reset()));
  return Object.assign(state, {
    told,
    watchdog,
    async pass(ms: number) {
      for (let passed = 0; passed < ms; passed += STEP_MS) {
        state.nowMs += STEP_MS;
        mock.timers.tick(STEP_MS);
        for (const each of due.splice(0)) {
          if (each.atMs <= state.nowMs) each.answer();
          else due.push(each);
        }
        await nextTurn();
      }
    },
  });
}

void t.test('a server that does not answer', async (t) => {
  for (const heardMs of [0, 100, 400]) {
    await t.test(`last heard ${heardMs} ms after a look`, async (t) => {
      const world = startWorld(t);
      world.answersAfterMs = Infinity;
      await world.pass(heardMs);
      world.watchdog.heard();
      await world.pass(2_900);
      t.same(world.told, [], 'not before it was asked');
      await world.pass(TOLD_WITHIN_MS - 2_900);
      t.equal(world.told[0], 'silent');
    });
  }
});

void t.test('a server that answers while a large frame is under way', async (t) => {
  const world = startWorld(t);
  await world.pass(30_000);
  t.same(world.told, []);
});

void t.test('a machine that slept', async (t) => {
  for (const [name, answersAfterMs] of [
    ['the network is not there yet', Infinity],
    ['the network is there, and the socket is dead', 200],
  ] as const) {
    for (const sleptMs of [8_000, 3_600_000]) {
      await t.test(`${sleptMs / 1000} s: ${name}`, async (t) => {
        const world = startWorld(t);
        world.answersAfterMs = answersAfterMs;
        await world.pass(500);
        world.nowMs += sleptMs;
        await world.pass(TOLD_WITHIN_MS);
        t.ok(world.told.length > 0, String(world.told[0]));
      });
    }
  }
  await t.test('and hears at once', async (t) => {
    const world = startWorld(t);
    world.nowMs += 8_000;
    await world.pass(500);
    world.watchdog.heard();
    for (let seconds = 0; seconds < 10; seconds++) {
      await world.pass(1_000);
      world.watchdog.heard();
    }
    t.same(world.told, []);
  });
});
