import t from 'tap';
import { PingQueue } from '../../../../engine/dht/ping-queue.js';
import { VirtualClock } from '../../../support/virtual-clock.js';

function setUp() {
  const clock = new VirtualClock();
  const pinged: { host: string; port: number; atMs: number }[] = [];
  const queue = new PingQueue({ clock, ping: (address) => pinged.push({ ...address, atMs: clock.nowMs() }) });
  return { clock, pinged, queue };
}

void t.test('ten a second over all, at most 400 waiting', async (t) => {
  const { clock, pinged, queue } = setUp();
  for (let i = 0; i < 5_000; i++) queue.offer({ host: `8.${i >> 8}.${i & 255}.1`, port: 6881 });
  t.equal(pinged.length, 10);
  t.equal(queue.size, 400);
  await clock.advance(1_000);
  t.equal(pinged.length, 20);
  await clock.advance(60_000);
  t.equal(pinged.length, 410);
  t.equal(clock.pendingTimers, 0);
});

void t.test('a public host once in ten minutes, whatever the port', async (t) => {
  const { clock, pinged, queue } = setUp();
  for (let port = 2_000; port < 2_100; port++) queue.offer({ host: '8.8.8.8', port });
  t.equal(pinged.length, 1);
  await clock.advance(599_999);
  queue.offer({ host: '8.8.8.8', port: 3_000 });
  t.equal(pinged.length, 1);
  await clock.advance(1);
  queue.offer({ host: '8.8.8.8', port: 3_000 });
  t.equal(pinged.length, 2);
});

void t.test('near by, ports are nodes of their own', (t) => {
  const { pinged, queue } = setUp();
  for (const port of [7000, 7001, 7000]) queue.offer({ host: '127.0.0.1', port });
  t.same(
    pinged.map(({ port }) => port),
    [7000, 7001],
  );
  t.end();
});

void t.test('what we chose is asked again at once, at the same rate; closing forgets the rest', async (t) => {
  const { clock, pinged, queue } = setUp();
  for (let i = 0; i < 30; i++) queue.insist({ host: '8.8.8.8', port: 3_000 + (i % 15) });
  await clock.advance(500);
  t.equal(pinged.length, 15);
  for (let i = 0; i < 30; i++) queue.insist({ host: '8.8.8.8', port: 3_000 + i });
  queue.close();
  await clock.advance(60_000);
  t.ok(pinged.length < 30);
  t.equal(clock.pendingTimers, 0);
});
