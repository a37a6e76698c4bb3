// The words for a tracker's state, and the times shown with it (docs/semantics.md section 11).
import t from 'tap';
import { ADMIN_ACCOUNT_ID, parseInfoHash } from '../../../../shared-protocol/ids.js';
import { EndpointTable } from '../../../../engine/tracker/endpoints.js';
import {
  newTracker,
  trackerStatus,
  type TorrentRecord,
  type TrackerRecord,
} from '../../../../engine/tracker/records.js';
import { VirtualClock } from '../../../support/virtual-clock.js';

const HTTP = 'http://tracker.example/announce';
const TORRENT: TorrentRecord = {
  torrent: {
    infoHash: parseInfoHash('ab'.repeat(20)),
    figures: () => ({ uploaded: 0, downloaded: 0, left: 0, numWant: 0 }),
    onPeers: () => undefined,
    onTrackersHeard: () => undefined,
    accountFor: () => ADMIN_ACCOUNT_ID,
    mayReachInside: () => false,
  },
  tiers: [],
  running: true,
  finalFigures: null,
};

function statusOf(change: Partial<TrackerRecord>, url = HTTP) {
  const tracker = Object.assign(newTracker(TORRENT, new EndpointTable().acquire(url)), change);
  // 25 s after the start of a clock that began at 2025-01-01.
  return trackerStatus(tracker, 1, new VirtualClock(1_735_689_625_000, 25_000));
}

const CASES: readonly { name: string; given: Partial<TrackerRecord>; url?: string; status: string }[] = [
  { name: 'never tried', given: {}, status: 'not contacted' },
  { name: 'the first announce is under way', given: { abort: new AbortController() }, status: 'updating' },
  { name: 'it knows of us', given: { announced: true }, status: 'working' },
  {
    name: 'it knows of us and is told more',
    given: { announced: true, abort: new AbortController() },
    status: 'updating',
  },
  { name: 'it refused', given: { error: 'unregistered torrent' }, status: 'error: unregistered torrent' },
  {
    name: 'it worked once and does not now',
    given: { announced: true, error: 'timed out' },
    status: 'error: timed out',
  },
  {
    name: 'tried again after an error',
    given: { error: 'timed out', abort: new AbortController() },
    status: 'updating',
  },
  { name: 'it is told goodbye next', given: { announced: true, leaving: true }, status: 'not contacted' },
  { name: 'a kind of tracker that nobody asks', given: {}, url: 'wss://tracker.example', status: 'disabled' },
];

void t.test('status', async (t) => {
  for (const { name, given, url, status } of CASES) t.equal(statusOf(given, url).status, status, name);
});

void t.test('times are unix seconds, 0 when never', async (t) => {
  t.match(statusOf({}), { lastAnnounce: 0, nextAnnounce: 0, tier: 1, url: HTTP });
  t.match(statusOf({ lastAnnounceSec: 1_735_689_610, heapIndex: 0, dueMs: 85_000 }), {
    lastAnnounce: 1_735_689_610,
    nextAnnounce: 1_735_689_685,
  });
  t.equal(statusOf({ heapIndex: 0, dueMs: 1_000 }).nextAnnounce, 1_735_689_625, 'overdue: now');
  t.equal(
    statusOf({ heapIndex: 0, dueMs: 85_000, leaving: true }).nextAnnounce,
    0,
    'goodbye is not an announce to come',
  );
});

void t.test('figures are those of the tracker', async (t) => {
  t.match(statusOf({ seeds: 3, leechers: 4, downloaded: 5 }), { seeds: 3, peers: 4, downloaded: 5 });
});
