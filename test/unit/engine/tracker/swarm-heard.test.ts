// What the trackers of a torrent tell of its swarm, from announces and scrapes.
import t from 'tap';
import { ADMIN_ACCOUNT_ID, parseInfoHash, parsePeerId } from '../../../../shared-protocol/ids.js';
import { createAnnounceQueue } from '../../../../engine/tracker/announce-queue.js';
import { trackerFailure } from '../../../../engine/tracker/client.js';
import { NOTHING_HEARD } from '../../../../engine/tracker/swarm-heard.js';
import type { SwarmHeard } from '../../../../engine/tracker/types.js';
import { QUIET } from '../../../support/disk-fixtures.js';
import { reply, ScriptedTrackerClient } from '../../../support/scripted-tracker-client.js';
import { SeededRandom } from '../../../support/seeded-random.js';
import { VirtualClock } from '../../../support/virtual-clock.js';

const ID = parseInfoHash('1'.repeat(40));
const IDENTITY = { peerId: parsePeerId('2d'.repeat(20)), port: 6881, key: 1, userAgent: 'Swarmd/test' };
const A = 'http://a.example/announce';
const B = 'http://b.example/announce';

function begin(client: ScriptedTrackerClient) {
  const clock = new VirtualClock();
  const random = new SeededRandom(5);
  const queue = createAnnounceQueue({ clock, random, log: QUIET, identity: () => IDENTITY, http: client, udp: client });
  const told: SwarmHeard[] = [];
  const torrent = {
    infoHash: ID,
    figures: () => ({ uploaded: 0, downloaded: 0, left: 1, numWant: 1 }),
    onPeers: () => undefined,
    onTrackersHeard: () => void told.push(queue.heard(ID)),
    accountFor: () => ADMIN_ACCOUNT_ID,
    mayReachInside: () => true,
  };
  queue.add(torrent, [[A], [B]]);
  return { clock, queue, told };
}

void t.test('figures are those of the tracker that knows of most peers', async (t) => {
  const client = new ScriptedTrackerClient(({ url }) =>
    reply(url === A ? { seeds: 3, leechers: 1 } : { seeds: 2, leechers: 9 }),
  );
  const { clock, queue, told } = begin(client);
  t.same(queue.heard(ID), NOTHING_HEARD, 'nothing is known before an announce');
  queue.start(ID);
  await clock.advance(0);
  t.same(told.at(-1), { seeds: 2, leechers: 9, working: new Set([A, B]), failed: new Map() });
  queue.stop(ID);
  await clock.advance(1_000);
  t.same(
    queue.heard(ID),
    { seeds: 2, leechers: 9, working: new Set([A, B]), failed: new Map() },
    'they stay while it rests',
  );
});

void t.test('one that fails does not work any more; what it told before is known', async (t) => {
  const client = new ScriptedTrackerClient(({ url }) =>
    url === A ? reply({ seeds: 5, leechers: 5 }) : trackerFailure('TRACKER_FAILURE', 'unregistered torrent'),
  );
  const { clock, queue, told } = begin(client);
  queue.start(ID);
  await clock.advance(0);
  const unregistered = { message: 'unregistered torrent', isRefusal: true };
  t.same(told.at(-1), { seeds: 5, leechers: 5, working: new Set([A]), failed: new Map([[B, unregistered]]) });
  client.script = () => trackerFailure('TRACKER_UNREACHABLE', 'refused');
  await clock.advance(2_200_000);
  const unreachable = { message: 'refused', isRefusal: false };
  const failed = new Map([A, B].map((url) => [url, unreachable]));
  t.same(told.at(-1), { seeds: 5, leechers: 5, working: new Set(), failed });
  queue.removeTracker(ID, A);
  t.same(
    queue.heard(ID),
    { seeds: -1, leechers: -1, working: new Set(), failed: new Map([[B, unreachable]]) },
    'a tracker that is taken away has told nothing',
  );
});

void t.test('a scrape tells where the announce did not', async (t) => {
  const client = new ScriptedTrackerClient(
    ({ url }) => (url === A ? reply({ seeds: null, leechers: null }) : trackerFailure('TRACKER_FAILURE', 'no')),
    () => ({ kind: 'scraped', files: new Map([[ID, { seeds: 7, leechers: 8, downloaded: 9 }]]) }),
  );
  const { clock, queue, told } = begin(client);
  queue.start(ID);
  await clock.advance(0);
  t.match(queue.heard(ID), { seeds: -1, leechers: -1 });
  await clock.advance(10_000);
  t.match(told.at(-1), { seeds: 7, leechers: 8, working: new Set([A]) });
});
