// What the service does for its torrents by itself, at 10,000 of them: the queue when torrents come, go and move, the
// seeding check when nothing is due, and the look at the schedule. All of it once a second, or told for a second.
import { limitsInForce } from '../../api/services/settings/limits-in-force.js';
import { weekMinuteAt } from '../../api/services/settings/schedule-window.js';
import { SeedingCheck, SEEDING_CHECK_MS } from '../../api/services/library/seeding-check.js';
import { SeedingRules } from '../../api/services/library/seeding-rules.js';
import { TorrentLabels } from '../../api/services/library/torrent-labels.js';
import { defaultSettings } from '../../api/services/settings/settings-data.js';
import { Queue, type QueuedTorrent } from '../../engine/session/queue.js';
import { openTickLibrary } from '../load/tick-library.js';
import { median, percentile } from '../measure/percentile.js';
import { parseAccountId } from '../../shared-protocol/ids.js';
import type { Figure } from '../report/results.js';
import { SeededRandom } from '../support/seeded-random.js';
import type { Scenario } from './scenario.js';

const TORRENTS = 10_000;
const CHANGES_PER_SECOND = 100;
const RULES = 1_000;
const ROUNDS = 50;
const SEED = 13;
const ACCOUNTS = Array.from({ length: 10 }, (_, index) => parseAccountId(index + 1));
const NOTHING = (): undefined => undefined;

export const passes: Scenario = {
  kind: 'micro',
  what: `queue, seeding check, schedule: ${TORRENTS} torrents`,
  async measure() {
    return [...(await measureQueue()), ...(await measureSeeding()), ...(await measureSchedule())];
  },
};

/** Of ten accounts. Half of them download, half seed, a hundred of each may: 100 torrents end or begin a second, and one is moved. */
async function measureQueue(): Promise<Figure[]> {
  const random = new SeededRandom(SEED);
  const torrents = Array.from({ length: TORRENTS }, (_, index): QueuedTorrent => ({
    runBy: [ACCOUNTS[index % ACCOUNTS.length]!],
    lastActivityAt: 0,
    setQueuePosition: NOTHING,
    setQueued: NOTHING,
    edits: { setQueueKey: () => Promise.resolve() },
  }));
  const queue = new Queue<QueuedTorrent>({ maxActiveDownloads: 100, maxActiveSeeds: 100 }, Date.now);
  for (const [index, torrent] of torrents.entries()) {
    queue.add(torrent, queue.nextKey());
    queue.takePlace(torrent, index % 2 === 0 ? 'download' : 'seed');
  }
  const any = () => torrents[random.below(TORRENTS)]!;
  const changes = await timesOf(() => {
    for (let i = 0; i < CHANGES_PER_SECOND; i++) {
      queue.takePlace(any(), null);
      queue.takePlace(any(), random.below(2) === 0 ? 'download' : 'seed');
    }
  });
  const moves = await timesOf(() => queue.move(any(), random.below(TORRENTS)));
  return [...figures(`queue, ${CHANGES_PER_SECOND} changes`, changes), ...figures('queue, one moved', moves)];
}

/** All seed, and have a policy of their own or the global one that lets them. */
async function measureSeeding(): Promise<Figure[]> {
  const now = 1_700_000_000;
  const { library, seedAll } = openTickLibrary(TORRENTS, new SeededRandom(SEED));
  seedAll(now);
  const settings = { ...defaultSettings('/data'), seeding_defaults: { ratio_limit: 2, time_min_limit: 60 } };
  const tracker = { host: 'tracker.example', ratio_limit: 3 };
  settings.seeding_rules = { ...settings.seeding_rules, trackers: [tracker] };
  const labels = { category: () => undefined, tag: () => undefined };
  const rules = new SeedingRules({
    settings: { stored: (group) => settings[group], change: () => Promise.resolve() },
    shownLabels: { categories: () => [] },
    labels,
  });
  const seeding = new SeedingCheck({
    library,
    torrentLabels: new TorrentLabels({ labels, library }),
    rules,
    onEnded: NOTHING,
    now: () => now,
    nowMs: () => now * 1_000,
    log: { debug: NOTHING, info: NOTHING },
  });
  const checks = await timesOf(() => seeding.check());
  const everySeconds = SEEDING_CHECK_MS / 1_000;
  return [
    ...figures(`seeding check, every ${everySeconds} s`, checks),
    { name: 'seeding check, per second', value: median(checks) / everySeconds, unit: 'ms' },
  ];
}

async function measureSchedule(): Promise<Figure[]> {
  const rule = { days_mask: 62, start_min: 1320, end_min: 360, down_kbps: 1, up_kbps: 1, alt_only: false };
  const rules = Array.from({ length: RULES }, (_, id) => ({ ...rule, id, enabled: id % 2 === 0 }));
  const { limits } = defaultSettings('/data');
  const looks = await timesOf(() => limitsInForce(limits, rules, weekMinuteAt(Date.now())));
  return figures(`schedule, ${RULES} rules`, looks);
}

/** In milliseconds, after as many that do not count. */
async function timesOf(work: () => unknown): Promise<number[]> {
  const times: number[] = [];
  for (let round = -ROUNDS; round < ROUNDS; round++) {
    const startMs = performance.now();
    await work();
    if (round >= 0) times.push(performance.now() - startMs);
  }
  return times;
}

function figures(name: string, times: readonly number[]): Figure[] {
  return [
    { name: `${name}: p50`, value: percentile(times, 50), unit: 'ms' },
    { name: `${name}: p99`, value: percentile(times, 99), unit: 'ms' },
  ];
}
