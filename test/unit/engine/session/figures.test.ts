// Figures of a torrent besides its bytes: for how long it has been at work, over restarts and ends that were not in order,
// and what its trackers tell.
import t, { type Test } from 'tap';
import { activeSecondsOf, seedingSecondsOf } from '../../../../shared-protocol/active-times.js';
import { ADMIN_ACCOUNT_ID, type TorrentId } from '../../../../shared-protocol/ids.js';
import { trackerFailure } from '../../../../engine/tracker/client.js';
import { reply } from '../../../support/scripted-tracker-client.js';
import { Bench, torrent } from './engine-bench.js';

const MINUTE_MS = 60_000;
const HOUR_MS = 60 * MINUTE_MS;

/** In seconds. */
function timesOf(bench: Bench, id: TorrentId) {
  const now = bench.clock.unixMs() / 1000;
  const stats = bench.statsOf(id);
  return { active: activeSecondsOf(stats, now), seeding: seedingSecondsOf(stats, now) };
}

function isAbout(t: Test, found: number, seconds: number, tolerance: number, what: string): void {
  t.ok(Math.abs(found - seconds) <= tolerance, `${what}: ${found} s, expected ${seconds} s`);
}

void t.test('time at work is counted while it runs, and not while it is paused', async (t) => {
  const bench = new Bench();
  await bench.start();
  const seed = torrent(1);
  const { id } = await bench.addComplete(seed, 'payload-1');
  const { id: empty } = await bench.add(torrent(2).torrentBytes);
  await bench.clock.advance(HOUR_MS);
  isAbout(t, timesOf(bench, id).active, 3600, 2, 'active');
  isAbout(t, timesOf(bench, id).seeding, 3600, 2, 'seeding');
  isAbout(t, timesOf(bench, empty).active, 3600, 2, 'active without a peer');
  t.equal(timesOf(bench, empty).seeding, 0, 'what is not complete does not seed');
  await bench.engine.pauseTorrent({ id });
  await bench.clock.advance(HOUR_MS);
  t.equal(bench.statsOf(id).countedSince, 0);
  isAbout(t, timesOf(bench, id).active, 3600, 2, 'paused');
  await bench.engine.resumeTorrent({ id });
  await bench.clock.advance(MINUTE_MS);
  isAbout(t, timesOf(bench, id).seeding, 3660, 2, 'seeding again');
  await bench.stop();
});

void t.test('it is counted on by the next run, without what lay between', async (t) => {
  const first = new Bench();
  await first.start();
  const { id } = await first.addComplete(torrent(1), 'payload-1');
  await first.clock.advance(HOUR_MS);
  await first.stop();
  const second = new Bench(first.store, first.disk);
  await second.clock.advance(24 * HOUR_MS);
  await second.start();
  await second.clock.advance(1_000);
  isAbout(t, timesOf(second, id).seeding, 3600, 5, 'after a stop');
  await second.clock.advance(HOUR_MS);
  isAbout(t, timesOf(second, id).seeding, 7200, 5, 'in the second run');
  // Without a stop: what was recorded last was at most five minutes before.
  const third = new Bench(first.store, first.disk);
  await third.start();
  await third.clock.advance(1_000);
  isAbout(t, timesOf(third, id).seeding, 7050, 160, 'after an end that was not in order');
  await third.engine.pauseTorrent({ id });
  await third.clock.advance(MINUTE_MS);
  const paused = timesOf(third, id);
  await third.stop();
  const fourth = new Bench(first.store, first.disk);
  await fourth.start();
  await fourth.clock.advance(HOUR_MS);
  t.same(timesOf(fourth, id), paused, 'a paused one counts nothing');
  await fourth.stop();
});

void t.test('what trackers tell is in its row', async (t) => {
  const bench = new Bench();
  await bench.start();
  bench.tracker.script = () => trackerFailure('TRACKER_FAILURE', 'unregistered torrent');
  const { id } = await bench.add(torrent(1).torrentBytes);
  const urls = ['http://one.example/a', 'http://two.example/a'];
  for (const url of urls) await bench.engine.addTracker({ id, url, accountId: ADMIN_ACCOUNT_ID });
  await bench.clock.advance(1_000);
  t.match(bench.statsOf(id), { swarmSeeds: -1, swarmLeechers: -1, workingTracker: -1 });
  const refused = { url: urls[0], message: 'unregistered torrent', isRefusal: true };
  t.same(bench.facts.get(id)?.trackerError, refused);
  bench.tracker.script = ({ url }) =>
    url === urls[1] ? reply({ seeds: 11, leechers: 12 }) : trackerFailure('TRACKER_FAILURE', 'no');
  await bench.clock.advance(2 * HOUR_MS);
  t.match(bench.statsOf(id), { swarmSeeds: 11, swarmLeechers: 12 });
  const shown = bench.facts.get(id)?.trackers.split('\n') ?? [];
  t.equal(shown[bench.statsOf(id).workingTracker], urls[1]);
  t.equal(bench.facts.get(id)?.trackerError, undefined, 'one of them works');
  await bench.engine.removeTracker({ id, url: urls[0]! });
  const left = bench.facts.get(id)?.trackers.split('\n') ?? [];
  t.equal(left[bench.statsOf(id).workingTracker], urls[1], 'its place is another one now');
  await bench.engine.removeTracker({ id, url: urls[1]! });
  t.equal(bench.statsOf(id).workingTracker, -1);
  t.same(bench.facts.get(id)?.trackerError, undefined, 'without trackers there is nothing to fail');
  await bench.stop();
});
