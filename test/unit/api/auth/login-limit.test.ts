// The login limit on a virtual clock.
import t from 'tap';
import { LoginLimit, sourceOf } from '../../../../api/auth/login-limit.js';
import { VirtualClock } from '../../../support/virtual-clock.js';

function start() {
  const clock = new VirtualClock();
  return { clock, limit: new LoginLimit(() => clock.nowMs()) };
}

const attempts = (limit: LoginLimit, address: string, count: number) =>
  Array.from({ length: count }, () => limit.take(address)).filter(Boolean).length;

void t.test('5 at once, then one every 12 s', async (t) => {
  const { clock, limit } = start();
  t.equal(attempts(limit, '192.0.2.1', 8), 5);
  await clock.advance(11_999);
  t.notOk(limit.take('192.0.2.1'));
  await clock.advance(1);
  t.ok(limit.take('192.0.2.1'));
  t.notOk(limit.take('192.0.2.1'));
  await clock.advance(600_000);
  t.equal(attempts(limit, '192.0.2.1', 8), 5, 'no more than the burst is saved up');
});

void t.test('sources do not share', async (t) => {
  const { limit } = start();
  t.equal(attempts(limit, '192.0.2.1', 6), 5);
  t.equal(attempts(limit, '192.0.2.2', 6), 5);
});

void t.test('a source is an IPv4 address or an IPv6 /64', async (t) => {
  t.equal(sourceOf('::ffff:192.0.2.1'), sourceOf('192.0.2.1'));
  t.equal(sourceOf('2001:db8::1'), sourceOf('2001:db8:0:0:ffff::9'));
  t.not(sourceOf('2001:db8:0:1::1'), sourceOf('2001:db8::1'));
});

void t.test('idle buckets are forgotten after 10 minutes', async (t) => {
  const { clock, limit } = start();
  limit.take('192.0.2.1');
  await clock.advance(300_000);
  limit.take('192.0.2.2');
  await clock.advance(300_000);
  limit.sweep();
  t.equal(limit.size, 1);
});

void t.test('very many sources do not take very much memory', async (t) => {
  const { limit } = start();
  for (let i = 0; i < 20_000; i++) limit.take(`2001:db8:${(i >> 8).toString(16)}:${(i & 255).toString(16)}::1`);
  t.equal(limit.size, 10_000);
});

void t.test('requesters are networks; fresh is who has made one attempt', async (t) => {
  const { clock, limit } = start();
  limit.take('2001:db8:1:1::1');
  t.same(limit.requester('2001:db8:1:1::1'), { key: '20010db80001/48', isFresh: true });
  limit.take('2001:db8:1:2::1');
  t.same(limit.requester('2001:db8:1:2::1'), { key: '20010db80001/48', isFresh: true });
  limit.take('2001:db8:1:2::1');
  t.same(limit.requester('2001:db8:1:2::1'), { key: '20010db80001/48', isFresh: false });
  await clock.advance(12_000);
  t.ok(limit.requester('2001:db8:1:2::1').isFresh);
  t.same(limit.requester('::ffff:192.0.2.1').key, '192.0.2.1');
});
