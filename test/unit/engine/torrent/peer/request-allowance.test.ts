// When blocks may be asked for under a download limit, and what happens to those asked for before there was one.
import t from 'tap';
import { RateLimiter, type RateClient } from '../../../../../engine/net/rate-limiter.js';
import { BLOCK_SIZE_BYTES } from '../../../../../engine/environment.js';
import { RequestAllowance } from '../../../../../engine/torrent/peer/request-allowance.js';
import { VirtualClock } from '../../../../support/virtual-clock.js';

const KIB = 1024;

function start(limitBytesPerSec: number, { paysAhead = true } = {}) {
  const clock = new VirtualClock();
  const limiter = new RateLimiter(clock);
  limiter.setLimit(limitBytesPerSec);
  const torrent = limiter.torrent();
  let calls = 0;
  const client: RateClient = torrent.client(() => calls++);
  const allowance = new RequestAllowance(client, { paysAhead });
  return { clock, limiter, torrent, client, allowance, calls: () => calls };
}

/** Asks for what it may each time it is called; blocks arrive after a round trip. */
async function download(limit: number, roundTripMs: number, seconds: number) {
  const clock = new VirtualClock();
  const limiter = new RateLimiter(clock);
  limiter.setLimit(limit);
  let asked = 0;
  let arrived = 0;
  let mostInFlight = 0;
  const ask = (): void => {
    for (let lot = allowance.blocks(1_000); lot > 0; lot = allowance.blocks(1_000)) {
      allowance.onAsked(lot);
      asked += lot;
      mostInFlight = Math.max(mostInFlight, asked - arrived);
      clock.after(roundTripMs, () => {
        for (let i = 0; i < lot; i++) allowance.onArrival(BLOCK_SIZE_BYTES, clock.nowMs());
        arrived += lot;
      });
    }
  };
  const allowance = new RequestAllowance(limiter.torrent().client(ask), { paysAhead: true });
  ask();
  await clock.advance(seconds * 1_000);
  return { bytes: arrived * BLOCK_SIZE_BYTES, mostInFlight };
}

void t.test('what comes in is the limit, however long it takes to come', async (t) => {
  for (const limit of [20 * KIB, 2_000 * KIB, 50_000 * KIB]) {
    for (const roundTripMs of [1, 300, 3_000]) {
      const { bytes, mostInFlight } = await download(limit, roundTripMs, 60);
      const expected = (limit * (60_000 - roundTripMs)) / 1_000;
      const name = `${limit} B/s, ${roundTripMs} ms: ${bytes} of ${expected}`;
      t.ok(Math.abs(bytes - expected) <= 0.02 * expected + BLOCK_SIZE_BYTES, name);
      const needed = (limit * (roundTripMs + 350)) / 1_000 / BLOCK_SIZE_BYTES + 2;
      t.ok(mostInFlight <= needed, `${name}: ${mostInFlight} in flight, ${needed} would do`);
    }
  }
});

void t.test('without a limit everything at once, and nothing is held', (t) => {
  const { allowance } = start(0);
  t.equal(allowance.blocks(700), 700);
  allowance.onAsked(700);
  t.notOk(allowance.mustWait(700, 0));
  t.end();
});

void t.test('paid blocks never make reading wait', async (t) => {
  const { clock, allowance } = start(20 * KIB);
  await clock.advance(1_000);
  const lot = allowance.blocks(10);
  t.equal(lot, 1);
  allowance.onAsked(lot);
  t.equal(allowance.blocks(10), 0, 'the next has to wait');
  t.notOk(allowance.mustWait(1, clock.nowMs()));
  t.notOk(allowance.beginGrace(1, clock.nowMs()), 'and there is nothing to take back');
  allowance.onArrival(BLOCK_SIZE_BYTES, clock.nowMs());
  t.notOk(allowance.mustWait(0, clock.nowMs()));
});

void t.test('what is paid for lost requests comes back', async (t) => {
  const { clock, client, allowance, calls } = start(64 * KIB);
  await clock.advance(1_000);
  allowance.onAsked(allowance.blocks(1));
  allowance.onAsked(40);
  t.equal(allowance.blocks(1), 0);
  await clock.advance(1_000);
  t.equal(calls(), 0, 'forty blocks take ten seconds');
  allowance.settle(40);
  allowance.settle(0);
  await clock.advance(100);
  t.equal(calls(), 1, 'at once when they will not come');
  t.ok(client.mayGo());
  allowance.settle(0);
  await clock.advance(60_000);
  t.ok(client.quantum() <= 16 * KIB, 'nothing is given back twice');
});

void t.test('a limit comes: taken back once, let in for two seconds, then reading waits', async (t) => {
  const { clock, limiter, client, allowance } = start(0);
  allowance.onAsked(500);
  limiter.setLimit(20 * KIB);
  t.ok(allowance.beginGrace(500, clock.nowMs()));
  t.notOk(allowance.beginGrace(500, clock.nowMs()), 'once');
  for (let i = 0; i < 100; i++) allowance.onArrival(BLOCK_SIZE_BYTES, clock.nowMs());
  t.notOk(allowance.mustWait(400, clock.nowMs()));
  await clock.advance(1_999);
  t.notOk(allowance.mustWait(400, clock.nowMs()));
  t.ok(client.mayGo(), 'what was let in is no debt');
  await clock.advance(1);
  allowance.onArrival(BLOCK_SIZE_BYTES, clock.nowMs());
  allowance.onArrival(BLOCK_SIZE_BYTES, clock.nowMs());
  t.ok(allowance.mustWait(398, clock.nowMs()), 'a peer that does not hear');
  limiter.setLimit(0);
  allowance.onAsked(1);
  limiter.setLimit(20 * KIB);
  t.ok(allowance.beginGrace(399, clock.nowMs()), 'another limit, another time');
});

void t.test('a web seed is asked for much and pays as it comes', async (t) => {
  const { clock, allowance, calls } = start(20 * KIB, { paysAhead: false });
  await clock.advance(1_000);
  t.equal(allowance.blocks(300), 300);
  allowance.onAsked(300);
  t.notOk(allowance.beginGrace(300, clock.nowMs()));
  for (let i = 0; i < 3; i++) allowance.onArrival(BLOCK_SIZE_BYTES, clock.nowMs());
  t.ok(allowance.mustWait(297, clock.nowMs()));
  await clock.advance(5_000);
  t.equal(calls(), 1);
});
