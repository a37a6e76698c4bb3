// Figures and words of trackers over real sockets: an HTTP and a UDP tracker that tell of the swarm, and one that refuses
// until somebody asks again.
import t from 'tap';
import { systemClock } from '../../../../shared-protocol/clock.js';
import { ADMIN_ACCOUNT_ID, parseInfoHash, parsePeerId } from '../../../../shared-protocol/ids.js';
import { systemRandom } from '../../../../engine/net/system-random.js';
import { createAnnounceQueue, createUdpTrackerClient, httpTrackersOnDemand } from '../../../../engine/tracker/index.js';
import { QUIET } from '../../../support/disk-fixtures.js';
import { refusal, startHttpTracker } from '../../../support/http-tracker.js';
import { waitUntil } from '../../../support/peers/wait-until.js';
import { startUdpTracker } from '../../../support/udp-tracker.js';

const TIMEOUT_MS = 60_000;
const ID = parseInfoHash('5b'.repeat(20));

function newQueue(peer: number, left: number, tiers: readonly (readonly string[])[]) {
  const queue = createAnnounceQueue({
    clock: systemClock,
    random: systemRandom,
    log: QUIET,
    identity: () => ({
      peerId: parsePeerId(peer.toString(16).padStart(40, '0')),
      port: 6000 + peer,
      key: peer,
      userAgent: 'Swarmd/test',
    }),
    http: httpTrackersOnDemand({}),
    udp: createUdpTrackerClient({ clock: systemClock, random: systemRandom }),
  });
  const torrent = {
    infoHash: ID,
    figures: () => ({ uploaded: 0, downloaded: 0, left, numWant: 50 }),
    onPeers: () => undefined,
    onTrackersHeard: () => undefined,
    accountFor: () => ADMIN_ACCOUNT_ID,
    mayReachInside: () => true,
  };
  queue.add(torrent, tiers);
  queue.start(ID);
  return queue;
}

void t.test('the swarm as an HTTP and a UDP tracker tell of it', async (t) => {
  for (const tracker of await Promise.all([startHttpTracker(), startUdpTracker()])) {
    const tiers = [[tracker.announceUrl]];
    const seed = newQueue(1, 0, tiers);
    await waitUntil('the seed', TIMEOUT_MS, () => seed.heard(ID).working.size > 0 || undefined);
    const leech = newQueue(2, 9, tiers);
    await waitUntil('the leech', TIMEOUT_MS, () => leech.heard(ID).working.size > 0 || undefined);
    t.same(leech.heard(ID), { seeds: 1, leechers: 1, working: new Set([tracker.announceUrl]), failed: new Map() });
    t.match(leech.statuses(ID), [{ hasTold: true, answered: true, fails: 0, peersGiven: 1, interval: 1800 }]);
    await Promise.all([seed.close(1_000), leech.close(1_000)]);
    await tracker.close();
  }
});

void t.test('a tracker that refuses says why, and is asked again by hand until it knows the torrent', async (t) => {
  let isKnown = false;
  const tracker = await startHttpTracker({
    respond: (_request, response) => {
      if (!isKnown) response.end(refusal('unregistered torrent'));
      return !isKnown;
    },
  });
  const queue = newQueue(3, 9, [[tracker.announceUrl]]);
  const refused = await waitUntil('the refusal', TIMEOUT_MS, () => queue.statuses(ID).find(({ fails }) => fails > 0));
  // Its words are not shown: it is inside.
  t.match(refused, { answered: false, hasTold: false, message: /^refused by the tracker/ });
  t.match(queue.heard(ID), { seeds: -1, leechers: -1, working: new Set() });
  t.match(queue.heard(ID).failed.get(tracker.announceUrl), { isRefusal: true });
  isKnown = true;
  await waitUntil('an answer', TIMEOUT_MS, () => {
    queue.announceNow(ID);
    return queue.heard(ID).working.size > 0 || undefined;
  });
  t.match(queue.statuses(ID), [{ answered: true, fails: 0, message: '' }]);
  t.same(queue.heard(ID), { seeds: 0, leechers: 1, working: new Set([tracker.announceUrl]), failed: new Map() });
  await queue.close(1_000);
  await tracker.close();
});
