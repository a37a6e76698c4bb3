import t from 'tap';
import { RateMeter } from '../../../../../engine/torrent/peer/rate-meter.js';

function run(meter: RateMeter, bytesPerSecond: number, seconds: number, stepMs = 1000): void {
  for (let i = 0; i < (seconds * 1000) / stepMs; i++) {
    meter.add((bytesPerSecond * stepMs) / 1000);
    meter.tick(stepMs);
  }
}

void t.test('settles at the rate, whatever the length of the ticks', async (t) => {
  for (const stepMs of [250, 1000, 1700]) {
    const meter = new RateMeter();
    run(meter, 1_000_000, 34, stepMs);
    t.ok(Math.abs(meter.rate - 1_000_000) < 10, `${meter.rate} with ticks of ${stepMs} ms`);
  }
});

void t.test('most of a change shows within three seconds, and silence ends at zero', async (t) => {
  const meter = new RateMeter();
  run(meter, 100_000, 3);
  t.ok(meter.rate >= 85_000 && meter.rate <= 100_000, String(meter.rate));
  run(meter, 0, 3);
  t.ok(meter.rate <= 13_000, String(meter.rate));
  run(meter, 0, 20);
  t.equal(meter.rate, 0);
});

void t.test('the total counts every byte, the rate is an integer', async (t) => {
  const meter = new RateMeter();
  meter.add(1);
  meter.add(2);
  t.equal(meter.total, 3);
  t.equal(meter.rate, 0, 'not before the tick');
  meter.tick(1000);
  meter.add(4);
  t.equal(meter.total, 7);
  t.equal(Number.isInteger(meter.rate), true);
  meter.tick(0);
  t.equal(Number.isFinite(meter.rate), true, 'a tick of no length');
});
