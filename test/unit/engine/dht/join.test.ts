import t from 'tap';
import { Join } from '../../../../engine/dht/join.js';
import type { PeerAddress } from '../../../../engine/environment.js';
import { VirtualClock } from '../../../support/virtual-clock.js';

const SAVED = [{ host: '8.8.8.8', port: 6881 }];

function setUp({ saved = SAVED, bootstrap = [{ host: 'router', port: 6881 }] as readonly PeerAddress[] } = {}) {
  const clock = new VirtualClock();
  const log = { debug: () => {}, info: () => {}, warn: () => {}, error: () => {} };
  const pings: string[] = [];
  const asked: number[] = [];
  const walks: number[] = [];
  const join = new Join(
    {
      clock,
      log,
      ping: ({ host }) => {
        pings.push(host);
        if (host === saved[0]?.host) asked.push(clock.nowMs() / 1_000);
      },
      findOwnId: () => walks.push(clock.nowMs() / 1_000),
      resolve: (host) => Promise.resolve(host === 'router' ? ['9.9.9.9', '9.9.9.10'] : []),
    },
    { saved, bootstrap },
  );
  return { clock, pings, asked, walks, join };
}

void t.test('alone: asked after 5 s, 10 s, ... up to every five minutes', async (t) => {
  const { clock, pings, asked, walks, join } = setUp();
  join.start();
  await clock.advance(20 * 60_000);
  t.same(asked.slice(0, 9), [0, 5, 15, 35, 75, 155, 315, 615, 915]);
  const ofRouter = pings.filter((host) => host === '9.9.9.9').length;
  t.equal(ofRouter, asked.length - 1, 'bootstrap hosts from the second time on');
  t.notOk(pings.includes('9.9.9.10'), 'one address of each');
  t.same(walks, []);
  t.equal(clock.pendingTimers, 1);
});

void t.test('with nothing saved, bootstrap hosts at once; those without an address are left out', async (t) => {
  const bootstrap = ['gone', 'router'].map((host) => ({ host, port: 6881 }));
  const { clock, pings, join } = setUp({ saved: [], bootstrap });
  join.start();
  await clock.settle();
  t.same(pings, ['9.9.9.9']);
  join.close();
});

void t.test('the first node: a lookup of our own id, and nobody else is asked', async (t) => {
  const { clock, pings, walks, join } = setUp();
  join.start();
  await clock.advance(3_000);
  join.onNodeCount(1, () => []);
  join.onNodeCount(2, () => []);
  const asked = pings.length;
  await clock.advance(60 * 60_000);
  t.same(walks, [4]);
  t.equal(pings.length, asked);
  t.equal(clock.pendingTimers, 0);
});

void t.test('the table ran empty: the nodes of late are asked, pauses begin anew', async (t) => {
  const { clock, pings, join } = setUp({ saved: [], bootstrap: [] });
  join.start();
  await clock.advance(1_000_000);
  join.onNodeCount(1, () => []);
  await clock.advance(1_000_000);
  join.onNodeCount(0, () => [{ host: '7.7.7.7', port: 6881 }]);
  await clock.advance(15_000);
  t.same(pings, ['7.7.7.7', '7.7.7.7']);
});

void t.test('closed', async (t) => {
  const { clock, pings, join } = setUp();
  join.start();
  join.close();
  await clock.advance(60_000);
  t.same(pings, ['8.8.8.8']);
  join.onNodeCount(1, () => []);
  t.equal(clock.pendingTimers, 0);
});
