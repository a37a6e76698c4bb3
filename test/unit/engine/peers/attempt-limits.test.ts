// docs/limits.md 2.18: a third party that a tracker or PEX aims us at must not feel it.
import t from 'tap';
import fc from 'fast-check';
import { AttemptLimits } from '../../../../engine/peers/attempt-limits.js';
import { INSIDE_ATTEMPTS_PER_MINUTE, INSIDE_PORTS_PER_HOUR } from '../../../../engine/peers/inside-limits.js';
import { PeerList } from '../../../../engine/peers/peer-list/peer-list.js';
import { MINUTE_MS, SECOND_MS, type PeerAddress } from '../../../../engine/environment.js';
import type { Standing } from '../../../../shared-protocol/address-policy.js';
import { SeededRandom } from '../../../support/seeded-random.js';

const HOUR_MS = 60 * MINUTE_MS;
const newLimits = (buckets?: number): AttemptLimits =>
  new AttemptLimits({ random: new SeededRandom(11) }, buckets === undefined ? {} : { buckets });
const newLimitsOf = (standing: Standing): AttemptLimits =>
  new AttemptLimits({ random: new SeededRandom(11) }, { standingOf: () => standing });
const at = (host: string, port = 6881): PeerAddress => ({ host, port });

/** Connects when that is allowed. */
function attempt(limits: AttemptLimits, address: PeerAddress, nowMs: number): boolean {
  if (limits.freeAtMs(address, nowMs) > nowMs) return false;
  limits.onAttempt(address, nowMs);
  return true;
}

void t.test('one attempt a minute at an address, whatever the port', async (t) => {
  const limits = newLimits();
  t.equal(attempt(limits, at('192.0.2.1', 5_000), 0), true);
  t.equal(limits.freeAtMs(at('192.0.2.1', 5_000), 1), MINUTE_MS);
  t.equal(attempt(limits, at('192.0.2.1', 5_001), MINUTE_MS - 1), false);
  t.equal(attempt(limits, at('::ffff:192.0.2.1', 5_000), MINUTE_MS - 1), false, 'however it is spelled');
  t.equal(attempt(limits, at('192.0.2.2', 5_000), 1), true, 'another address');
  t.equal(attempt(limits, at('192.0.2.1', 5_001), MINUTE_MS), true);
});

void t.test('three attempts within the hour where several ports are named', async (t) => {
  const limits = newLimits();
  for (let n = 0; n < 3; n++) t.equal(attempt(limits, at('192.0.2.1', 5_000 + n), n * MINUTE_MS), true);
  t.equal(limits.freeAtMs(at('192.0.2.1', 5_003), 3 * MINUTE_MS), HOUR_MS);
  t.equal(limits.freeAtMs(at('192.0.2.1', 5_000), 3 * MINUTE_MS), HOUR_MS, 'also for a port that was tried');
  t.equal(attempt(limits, at('192.0.2.1', 5_003), HOUR_MS), true);
  t.equal(limits.freeAtMs(at('192.0.2.1', 5_003), HOUR_MS + MINUTE_MS), HOUR_MS + MINUTE_MS, 'the next slot is free');
});

void t.test('an address with one port is tried as often as it pleases its torrents, once a minute', async (t) => {
  const limits = newLimits();
  for (let n = 0; n < 100; n++) t.equal(attempt(limits, at('192.0.2.1', 5_000), n * MINUTE_MS), true);
  t.equal(attempt(limits, at('192.0.2.1', 5_001), 100 * MINUTE_MS), true);
  t.equal(attempt(limits, at('192.0.2.1', 5_000), 101 * MINUTE_MS), true, 'the last slot');
  t.equal(attempt(limits, at('192.0.2.1', 5_000), 102 * MINUTE_MS), false);
});

void t.test('a /64 is one subscriber', async (t) => {
  const limits = newLimits();
  t.equal(attempt(limits, at('2001:db8:0:1::1'), 0), true);
  t.equal(attempt(limits, at('2001:db8:0:1:ffff::2'), 0), false);
  t.equal(attempt(limits, at('2001:db8:0:2::1'), 0), true);
});

void t.test('what --fetch-allow opens has no limits', async (t) => {
  const limits = newLimitsOf('allowed');
  for (const host of ['127.0.0.1', '::1', '192.168.1.7']) {
    for (let port = 5_000; port < 5_020; port++) t.equal(attempt(limits, at(host, port), 0), true, host);
  }
});

void t.test('inside, several ports of an address are tried at once, but few an hour', async (t) => {
  const limits = newLimitsOf('inside');
  for (let port = 5_000; port < 5_000 + INSIDE_PORTS_PER_HOUR; port++) {
    t.equal(attempt(limits, at('10.0.0.1', port), 0), true, String(port));
  }
  for (let port = 6_000; port < 7_000; port++) t.equal(limits.freeAtMs(at('10.0.0.1', port), 1), HOUR_MS);
  t.equal(attempt(limits, at('10.0.0.1', 5_000), MINUTE_MS), true, 'one that was tried');
  t.equal(attempt(limits, at('10.0.0.2', 6_000), 1), true, 'another address');
  t.equal(attempt(limits, at('10.0.0.1', 6_000), HOUR_MS), true, 'an hour later');
});

void t.test('inside, an address is tried few times a minute, whatever for', async (t) => {
  const limits = newLimitsOf('inside');
  for (let n = 0; n < INSIDE_ATTEMPTS_PER_MINUTE; n++) t.equal(attempt(limits, at('10.0.0.1', 5_000), n), true);
  t.equal(limits.freeAtMs(at('10.0.0.1', 5_000), 100), MINUTE_MS);
  t.equal(limits.freeAtMs(at('10.0.0.1', 5_001), 100), MINUTE_MS);
  limits.allowAgain(at('10.0.0.1', 5_000), 'handshake-done', 100);
  t.equal(limits.freeAtMs(at('10.0.0.1', 5_000), 101), MINUTE_MS, 'also one that answered');
  t.equal(attempt(limits, at('10.0.0.1', 5_000), MINUTE_MS), true);
});

void t.test('inside, no more addresses are remembered than memory is for, and the rest waits', async (t) => {
  const limits = newLimitsOf('inside');
  for (let n = 0; n < 1_024; n++) attempt(limits, at(`10.0.${n >> 8}.${n & 255}`), n);
  t.equal(limits.freeAtMs(at('10.9.9.9'), 2_000), HOUR_MS);
  t.equal(attempt(limits, at('10.9.9.9'), HOUR_MS), true, 'once others are forgotten');
});

void t.test('a peer that answered may be tried again sooner, and only that one', async (t) => {
  const limits = newLimits();
  const address = at('192.0.2.1', 5_000);
  attempt(limits, address, 0);
  limits.allowAgain(address, 'handshake-done', 10 * SECOND_MS);
  t.equal(attempt(limits, at('192.0.2.1', 5_001), 15 * SECOND_MS), false);
  t.equal(attempt(limits, address, 15 * SECOND_MS), true);
  t.equal(attempt(limits, address, 16 * SECOND_MS), false, 'once');
  limits.allowAgain(address, 'handshake-done', 20 * SECOND_MS);
  t.equal(attempt(limits, address, 20 * SECOND_MS), true, 'it answered again');
  for (let n = 1; n <= 2; n++) attempt(limits, at('192.0.2.1', 5_000 + n), n * 2 * MINUTE_MS);
  t.equal(attempt(limits, at('192.0.2.1', 5_003), 6 * MINUTE_MS), false);
  limits.allowAgain(address, 'handshake-done', 6 * MINUTE_MS);
  t.equal(attempt(limits, address, 6 * MINUTE_MS), true, 'and does not count among the three');
});

void t.test('an allowance ends after a minute', async (t) => {
  const limits = newLimits();
  for (let n = 0; n < 3; n++) attempt(limits, at('192.0.2.1', 5_000 + n), n * MINUTE_MS);
  limits.allowAgain(at('192.0.2.1', 5_000), 'handshake-done', 3 * MINUTE_MS);
  t.equal(attempt(limits, at('192.0.2.1', 5_000), 4 * MINUTE_MS), false);
});

void t.test('a refusal of encryption allows one attempt in plain, and no chain of them', async (t) => {
  const limits = newLimits();
  const address = at('192.0.2.1', 5_000);
  let attempts = 0;
  for (let nowMs = 0; nowMs < 10 * MINUTE_MS; nowMs += SECOND_MS) {
    if (!attempt(limits, address, nowMs)) continue;
    attempts++;
    limits.allowAgain(address, 'mse-refused', nowMs);
  }
  t.ok(attempts <= 20, `${attempts} in ten minutes`);
  t.ok(attempts > 10, 'but there are some');
});

void t.test('grants are bounded, and none when there are too many', async (t) => {
  const limits = newLimits();
  const many = Array.from({ length: 1_025 }, (_, n) => at(`192.0.${n >> 8}.${n & 255}`));
  for (const address of many) {
    limits.onAttempt(address, 0);
    limits.allowAgain(address, 'handshake-done', 0);
  }
  t.equal(limits.freeAtMs(many[1_023]!, 1), 1);
  t.equal(limits.freeAtMs(many[1_024]!, 1), MINUTE_MS);
  limits.allowAgain(many[1_024]!, 'handshake-done', MINUTE_MS);
  limits.onAttempt(many[1_024]!, MINUTE_MS);
  limits.allowAgain(many[1_024]!, 'handshake-done', MINUTE_MS);
  t.equal(limits.freeAtMs(many[1_024]!, MINUTE_MS), MINUTE_MS, 'the others have ended');
});

void t.test('other addresses cannot wash out the record of a target', async (t) => {
  const limits = newLimits(1_024);
  const victim = '192.0.2.1';
  const times: number[] = [];
  const ports = new Set<number>();
  for (let n = 0; n < 20_000; n++) {
    const nowMs = n * 100;
    limits.onAttempt(at(`198.${n >> 16}.${(n >> 8) & 255}.${n & 255}`, 1_024 + (n % 60_000)), nowMs);
    const port = 5_000 + n;
    if (!attempt(limits, at(victim, port), nowMs)) continue;
    times.push(nowMs);
    ports.add(port);
  }
  t.ok(times.length >= 1 && ports.size <= 3, `${ports.size} ports in 33 minutes`);
  for (const [n, time] of times.entries()) t.ok(n === 0 || time - times[n - 1]! >= MINUTE_MS);
});

void t.test('whatever is tried when, in tables of any size: one a minute and three ports an hour', async () => {
  const step = fc.record({ host: fc.nat(3), port: fc.integer({ min: 1, max: 6 }), waitMs: fc.nat(20 * MINUTE_MS) });
  fc.assert(
    fc.property(fc.constantFrom(1, 3, 65_536), fc.array(step, { maxLength: 100 }), (buckets, steps) => {
      const limits = newLimits(buckets);
      const done: { host: number; port: number; nowMs: number }[] = [];
      let nowMs = 0;
      for (const { host, port, waitMs } of steps) {
        nowMs += waitMs;
        if (!attempt(limits, at(`192.0.2.${host}`, port), nowMs)) continue;
        const same = done.filter((other) => other.host === host);
        if (same.some((other) => nowMs - other.nowMs < MINUTE_MS)) return false;
        done.push({ host, port, nowMs });
        const recent = done.filter((other) => other.host === host && nowMs - other.nowMs < HOUR_MS);
        const ports = new Set(recent.map((other) => other.port));
        if (ports.size > 3) return false;
      }
      return true;
    }),
  );
});

void t.test('separate networks hardly get into each other’s way', async (t) => {
  const limits = newLimits();
  let denied = 0;
  for (let n = 0; n < 1_800; n++) if (!attempt(limits, at(`198.18.${n >> 8}.${n & 255}`), n)) denied++;
  // A minute at 30 attempts a second; 2.7 % fill of the table, half of it on average.
  t.ok(denied < 1_800 * 0.03, `${denied} of 1,800`);
});

void t.test('a tracker that returns 5,000 ports of one address: at most 3 attempts an hour', async (t) => {
  const limits = newLimits();
  const known = new PeerList();
  const attempts: number[] = [];
  for (let nowMs = 0; nowMs < 2 * HOUR_MS; nowMs += 10 * SECOND_MS) {
    if (nowMs % (30 * MINUTE_MS) === 0) {
      known.add(
        Array.from({ length: 5_000 }, (_, n) => at('192.0.2.1', 2_000 + n)),
        'tracker',
      );
    }
    const taken = known.take(nowMs, ({ address }) => limits.freeAtMs(address, nowMs));
    if (!taken) continue;
    limits.onAttempt(taken.address, nowMs);
    known.onDisconnected(taken.address, 'never-connected', nowMs);
    attempts.push(nowMs);
  }
  known.checkInvariant();
  t.ok(attempts.length > 0);
  const ports = attempts.filter((time) => time < HOUR_MS);
  t.ok(ports.length <= 3, `${ports.length} in the first hour`);
});
