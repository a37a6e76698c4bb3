// The queue with its real clients and real trackers on loopback.
import t from 'tap';
import { randomBytes, randomInt } from 'node:crypto';
import { ADMIN_ACCOUNT_ID, parseInfoHash, parsePeerId } from '../../../../shared-protocol/ids.js';
import type { Log, PeerAddress } from '../../../../engine/environment.js';
import {
  createAnnounceQueue,
  httpTrackersOnDemand,
  createUdpTrackerClient,
  DEFAULT_ANNOUNCE_QUEUE_OPTIONS,
  type AnnounceQueue,
} from '../../../../engine/tracker/index.js';
import { startHttpTracker } from '../../../support/http-tracker.js';
import { systemClock } from '../../../../shared-protocol/clock.js';
import { startUdpTracker } from '../../../support/udp-tracker.js';

const random = { below: (bound: number) => randomInt(bound), bytes: (length: number) => randomBytes(length) };
const silent = (): void => undefined;

function newQueue(peer: number, errors: string[]): AnnounceQueue {
  const log: Log = { debug: silent, info: silent, warn: silent, error: (message) => void errors.push(message) };
  return createAnnounceQueue(
    {
      clock: systemClock,
      random,
      log,
      identity: () => ({
        peerId: parsePeerId(peer.toString(16).padStart(40, '0')),
        port: 6000 + peer,
        key: peer,
        userAgent: 'Swarmd/test',
      }),
      http: httpTrackersOnDemand({}),
      udp: createUdpTrackerClient({ clock: systemClock, random }),
    },
    // Starting a thousand torrents at 40 a second is not what these tests are about.
    { limits: { ...DEFAULT_ANNOUNCE_QUEUE_OPTIONS.limits, startsPerWindow: Infinity } },
  );
}

async function until(condition: () => boolean): Promise<void> {
  const deadline = performance.now() + 15_000;
  while (!condition()) {
    if (performance.now() > deadline) throw new Error('not within 15 s');
    await new Promise((resolve) => setTimeout(resolve, 5));
  }
}

const figures = () => ({ uploaded: 0, downloaded: 0, left: 1, numWant: 50 });

void t.test('two clients find each other through an HTTP and a UDP tracker', async (t) => {
  const errors: string[] = [];
  const [http, udp] = await Promise.all([startHttpTracker(), startUdpTracker()]);
  const infoHash = parseInfoHash('5a'.repeat(20));
  for (const { announceUrl, announces } of [http, udp]) {
    const [one, two] = [newQueue(1, errors), newQueue(2, errors)];
    const found: PeerAddress[] = [];
    one.add(
      {
        infoHash,
        figures,
        accountFor: () => ADMIN_ACCOUNT_ID,
        mayReachInside: () => true,
        onTrackersHeard: () => undefined,
        onPeers: silent,
      },
      [[announceUrl]],
    );
    two.add(
      {
        infoHash,
        figures,
        accountFor: () => ADMIN_ACCOUNT_ID,
        mayReachInside: () => true,
        onTrackersHeard: () => undefined,
        onPeers: (peers) => void found.push(...peers),
      },
      [[announceUrl]],
    );
    one.start(infoHash);
    await until(() => one.statuses(infoHash)[0]?.status === 'working');
    two.start(infoHash);
    await until(() => found.length > 0);
    t.same(found, [{ host: '127.0.0.1', port: 6001 }]);
    t.match(two.statuses(infoHash), [{ status: 'working', peers: 2 }]);
    two.completed(infoHash);
    await until(() => announces.some(({ event }) => event === 'completed'));
    await Promise.all([one.close(2000), two.close(2000)]);
    t.equal(announces.filter(({ event }) => event === 'stopped').length, 2);
  }
  await Promise.all([http.close(), udp.close()]);
  t.same(errors, []);
});

void t.test(
  'shutdown tells the trackers of at least 95 % of 1,000 torrents within 5 s (docs/limits.md 2.23)',
  async (t) => {
    const errors: string[] = [];
    const [http, udp] = await Promise.all([startHttpTracker(), startUdpTracker()]);
    for (const { announceUrl, announces } of [http, udp]) {
      const queue = newQueue(3, errors);
      for (let i = 1; i <= 1000; i++) {
        const infoHash = parseInfoHash(i.toString(16).padStart(40, '0'));
        queue.add(
          {
            infoHash,
            figures,
            accountFor: () => ADMIN_ACCOUNT_ID,
            mayReachInside: () => true,
            onTrackersHeard: () => undefined,
            onPeers: silent,
          },
          [[announceUrl]],
        );
        queue.start(infoHash);
      }
      await until(() => announces.length === 1000);
      const started = performance.now();
      await queue.close(5000);
      const tookMs = performance.now() - started;
      const stopped = announces.filter(({ event }) => event === 'stopped').length;
      t.ok(stopped >= 950, `${stopped} in ${Math.round(tookMs)} ms`);
      t.ok(tookMs < 10_000, 'the deadline is kept');
    }
    await Promise.all([http.close(), udp.close()]);
    t.same(errors, []);
  },
);
