import t from 'tap';
import { TokenBucket } from '../../../../engine/util/token-bucket.js';
import { VirtualClock } from '../../../support/virtual-clock.js';

void t.test('a burst, then the rate', async (t) => {
  const clock = new VirtualClock();
  const bucket = new TokenBucket(clock, { perSecond: 8_000, burst: 24_000 });
  t.notOk(bucket.isBelowHalf);
  t.ok(bucket.take(13_000));
  t.ok(bucket.isBelowHalf);
  t.notOk(bucket.take(12_000), 'all or none');
  t.ok(bucket.take(11_000));
  t.equal(bucket.waitMs(4_000), 500);
  await clock.advance(499);
  t.notOk(bucket.take(4_000));
  await clock.advance(1);
  t.ok(bucket.take(4_000));
  await clock.advance(3_600_000);
  t.equal(bucket.level, 24_000, 'saves up no more than the burst');
});

void t.test('over a minute no more than burst and rate, whatever is asked', async (t) => {
  const clock = new VirtualClock();
  const bucket = new TokenBucket(clock, { perSecond: 8_000, burst: 24_000 });
  let taken = 0;
  for (let i = 0; i < 6_000; i++) {
    if (bucket.take(700)) taken += 700;
    await Promise.resolve();
    if (i % 10 === 9) await clock.advance(100);
  }
  t.ok(taken <= 24_000 + 60 * 8_000 && taken > 60 * 8_000, `${taken}`);
});
