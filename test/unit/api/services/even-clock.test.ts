// Wall-clock time while the clock that it is taken from is set.
import t from 'tap';
import { EvenClock } from '../../../../api/services/even-clock.js';
import { STEADY_MS } from '../../../../api/services/steady-clock.js';

const DAY_MS = 86_400_000;

function start() {
  const machine = { nowMs: 0, wallMs: 1_700_000_000_000 };
  const clock = new EvenClock(
    () => machine.wallMs,
    () => machine.nowMs,
  );
  const pass = (ms: number): number => {
    machine.nowMs += ms;
    machine.wallMs += ms;
    return clock.unixMs();
  };
  return { machine, pass };
}

void t.test('a clock that is right, and corrected by little, is followed', async (t) => {
  const { machine, pass } = start();
  t.equal(pass(0), machine.wallMs);
  machine.wallMs += 2_000;
  t.equal(pass(1_000), machine.wallMs);
});

void t.test('one that jumps is followed after an hour, and one that comes back is right at once', async (t) => {
  const { machine, pass } = start();
  const began = pass(0);
  for (const jump of [3_650 * DAY_MS, -20_000 * DAY_MS]) {
    machine.wallMs += jump;
    t.equal(pass(0), began);
    machine.wallMs -= jump;
    t.equal(pass(0), began);
  }
  machine.wallMs += DAY_MS;
  t.equal(pass(STEADY_MS - 1), began + STEADY_MS - 1);
  t.equal(pass(STEADY_MS), machine.wallMs);
});
