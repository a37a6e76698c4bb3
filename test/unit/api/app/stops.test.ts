// Services end together, and within a time: what does not is named, and left.
import t from 'tap';
import { STOP_MS, Stops } from '../../../../api/app/stops.js';
import type { BackgroundService } from '../../../../api/services/background-service.js';
import { VirtualClock } from '../../../support/virtual-clock.js';

class Quick implements BackgroundService {
  isRunning = false;

  start(): void {
    this.isRunning = true;
  }

  async stop(): Promise<void> {
    this.isRunning = false;
  }
}

/** Waits for what never comes. */
class Stuck extends Quick {
  override stop(): Promise<void> {
    return new Promise(() => undefined);
  }
}

class Failing extends Quick {
  override async stop(): Promise<void> {
    throw new Error('disk full');
  }
}

function scene() {
  const clock = new VirtualClock();
  const logged: unknown[] = [];
  const log = { warn: (_message: string, fields: unknown) => void logged.push(fields) };
  return { clock, logged, stops: new Stops({ clock, log }) };
}

void t.test('all have ended when it has, and no time is left running', async (t) => {
  const { clock, logged, stops } = scene();
  const services = [new Quick(), new Quick()];
  const known = services.map((service) => stops.known(service));
  for (const service of known) service.start();
  t.same(
    services.map(({ isRunning }) => isRunning),
    [true, true],
  );
  await stops.all(known);
  t.same(
    services.map(({ isRunning }) => isRunning),
    [false, false],
  );
  t.same([clock.pendingTimers, logged], [0, []]);
});

void t.test('one that does not end is named, also within another, and waited for no longer', async (t) => {
  const { clock, logged, stops } = scene();
  const inner = [new Stuck(), new Quick()].map((service) => stops.known(service));
  class Leading extends Quick {
    override async stop(): Promise<void> {
      await Promise.all(inner.map((service) => service.stop()));
    }
  }
  let hasEnded = false;
  const ending = stops.all([new Leading(), new Quick()].map((service) => stops.known(service)));
  void ending.then(() => (hasEnded = true));
  await clock.advance(STOP_MS - 1);
  t.notOk(hasEnded);
  await clock.advance(1);
  t.ok(hasEnded);
  t.same(logged, [{ services: 'Leading,Stuck' }]);
});

void t.test('one that fails to end is told of', async (t) => {
  const { clock, stops } = scene();
  await t.rejects(stops.all([stops.known(new Failing())]), { message: 'disk full' });
  t.equal(clock.pendingTimers, 0);
});
