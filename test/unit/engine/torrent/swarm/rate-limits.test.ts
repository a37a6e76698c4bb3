// What the rate limits let a torrent's peers move: the torrent's own limit and the one over all torrents.
import t from 'tap';
import { RateLimiter, type Limiters } from '../../../../../engine/net/rate-limiter.js';
import { SwarmRateLimits } from '../../../../../engine/torrent/swarm/rate-limits.js';
import { VirtualClock } from '../../../../support/virtual-clock.js';
import { peerWith } from '../scripted-swarm-peer.js';

const UNLIMITED = { downBytesPerSec: 0, upBytesPerSec: 0 };
const KB = 1024;

const ALONE = { down: null, up: null };

function limitersAt(clock: VirtualClock): Limiters {
  return { down: new RateLimiter(clock), up: new RateLimiter(clock) };
}

function calls(): { onDownReady(): void; onUpReady(): void; readonly heard: string[] } {
  const heard: string[] = [];
  return { heard, onDownReady: () => void heard.push('down'), onUpReady: () => void heard.push('up') };
}

void t.test('without limits nobody is asked anything', async (t) => {
  const clock = new VirtualClock();
  const limits = new SwarmRateLimits(limitersAt(clock), UNLIMITED, ALONE);
  const rates = limits.join(calls());
  for (const rate of [rates.down, rates.up]) {
    t.notOk(rate.isLimited);
    t.ok(rate.mayGo());
    t.equal(rate.quantum(), Infinity);
  }
  t.equal(clock.pendingTimers, 0);
});

void t.test('each direction has its own limit, and one that waits is called', async (t) => {
  const clock = new VirtualClock();
  const limits = new SwarmRateLimits(limitersAt(clock), { downBytesPerSec: 32 * KB, upBytesPerSec: 0 }, ALONE);
  const called = calls();
  const { down, up } = limits.join(called);
  t.ok(down.isLimited);
  t.notOk(up.isLimited);
  t.notOk(down.mayGo(), 'the bucket begins empty');
  await clock.advance(1_000);
  t.same(called.heard, ['down']);
  limits.set({ downBytesPerSec: 0, upBytesPerSec: 32 * KB });
  t.notOk(down.isLimited);
  t.ok(up.isLimited);
});

void t.test('the limit over all torrents holds for each', async (t) => {
  const clock = new VirtualClock();
  const limiters = limitersAt(clock);
  const torrents = [new SwarmRateLimits(limiters, UNLIMITED, ALONE), new SwarmRateLimits(limiters, UNLIMITED, ALONE)];
  limiters.up.setLimit(100 * KB);
  let moved = 0;
  for (const limits of torrents) {
    const go = (): void => {
      do {
        moved += 16 * KB;
        up.charge(16 * KB);
      } while (up.mayGo());
    };
    const { up } = limits.join({ onDownReady: () => undefined, onUpReady: go });
    if (up.mayGo()) go();
  }
  await clock.advance(10_000);
  t.ok(moved >= 990 * KB && moved <= 1_060 * KB, `${moved} bytes in 10 s at 100 KiB/s`);
  for (const limits of torrents) limits.close();
  t.equal(clock.pendingTimers, 0);
});

void t.test('who has left or whose torrent is closed is not called, and no timer stays', async (t) => {
  for (const end of ['leave', 'close'] as const) {
    const clock = new VirtualClock();
    const limits = new SwarmRateLimits(limitersAt(clock), { downBytesPerSec: KB, upBytesPerSec: KB }, ALONE);
    const called = calls();
    const rates = limits.join(called);
    t.notOk(rates.down.mayGo() || rates.up.mayGo());
    if (end === 'leave') limits.leave(peerWith({ rates }));
    else limits.close();
    await clock.advance(60_000);
    t.same(called.heard, [], end);
    t.equal(clock.pendingTimers, 0, end);
    limits.set({ downBytesPerSec: 0, upBytesPerSec: 0 });
    t.same(called.heard, [], end);
  }
});
