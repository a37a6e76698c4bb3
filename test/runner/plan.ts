// How the files of a run are distributed: which belong to `npm test` and which to `npm run test:long`, which share a
// process, and what may run beside what. The tables are checked when a run begins: each entry names a test.
import { namedTests } from './tests.js';

/**
 * - computing: takes a whole core;
 * - waiting: for timers, sockets and other programs most of the time;
 * - browsing: a browser, a daemon, and a test that waits for both;
 * - measuring: speeds, times and memory, so by itself when the others have ended.
 */
export type Kind = 'computing' | 'waiting' | 'browsing' | 'measuring';

/** One process: a test file, or several that are loaded one after another. */
export interface Job {
  readonly kind: Kind;
  readonly files: readonly string[];
}

/** How many jobs of a kind run at a time, beside those of the other kinds and all together. */
export const AT_A_TIME: Readonly<Record<Kind, number>> = { computing: 2, waiting: 3, browsing: 3, measuring: 1 };
export const JOBS_AT_A_TIME = 4;

/**
 * Long by nature. `npm test` keeps something of each kind that looks at the same code: a file of each sort of swarm, the
 * fuzzers of the parsers, a restart, downloads to and from other programs, half of the pages.
 */
const LONG = [
  'browser/checking.test.js',
  'browser/engine-away.test.js',
  'browser/engines.test.js',
  'browser/webhooks.test.js',
  'simulation/swarm-2.test.js',
  'simulation/swarm-3.test.js',
  'simulation/swarm-4.test.js',
  'simulation/poisoners-2.test.js',
  'simulation/end-game-leeches.test.js',
  'simulation/choking-tit-for-tat.test.js',
  'simulation/choking-fibrillation.test.js',
  'fuzz/api/api.test.js',
  'fuzz/connections',
  'contract/storage/traffic-history-year.test.js',
  'integration/backup-kills.test.js',
  'integration/chaos.test.js',
  'integration/crash-states.test.js',
  'integration/engine-process/cuts.test.js',
  'integration/engine-process/processes.test.js',
  'integration/fleet/shared-roots.test.js',
  'integration/fleet/chaos.test.js',
  'integration/import-kills.test.js',
  'integration/move-kills.test.js',
  'integration/npm-package.test.js',
  'integration/zip-large.test.js',
  'integration/network/bind.test.js',
  'integration/network/proxy.test.js',
  'integration/records/kills.test.js',
  'integration/remotes/move.test.js',
  'integration/remotes/move-paused.test.js',
  'integration/remotes/move-rules.test.js',
  'integration/remotes/move-kills-copying.test.js',
  'integration/remotes/move-kills-switching.test.js',
  'integration/rename-kills.test.js',
  'integration/suffix-kills.test.js',
  'integration/quotas.test.js',
  'integration/rate-limits.test.js',
  'integration/seeding-rules.test.js',
  'integration/floods.test.js',
  'integration/soak.test.js',
  'interop/encryption.test.js',
  'interop/encryption-policy.test.js',
  'interop/seed.test.js',
  'interop/magnet.test.js',
  'interop/debian-package.test.js',
  'interop/export-qbittorrent.test.js',
  'interop/import-deluge.test.js',
  'interop/import-qbittorrent.test.js',
  'interop/import-qbittorrent-database.test.js',
  'interop/import-rtorrent.test.js',
  'interop/import-transmission.test.js',
  'interop/compatible',
  'browser/views-phone.test.js',
  'browser/windows-desktop.test.js',
  'browser/windows-phone.test.js',
  'browser/first-look.test.js',
  'browser/phone-details.test.js',
  'browser/phone-tables.test.js',
  'browser/week-touch.test.js',
  'browser/inert.test.js',
  'browser/first-load.test.js',
  'browser/automations.test.js',
  'browser/import.test.js',
  'browser/options.test.js',
  'browser/feeds.test.js',
  'browser/list-bulk.test.js',
  'browser/list-cells.test.js',
  'browser/list-layout.test.js',
  'browser/side-bar.test.js',
  'browser/pieces.test.js',
  'browser/sessions.test.js',
  'browser/session-refresh.test.js',
  'browser/problems.test.js',
  'browser/proxied.test.js',
  'integration/compatible/many-files.test.js',
  'browser/late-answer.test.js',
  'browser/silence.test.js',
  'browser/speed-graph.test.js',
  'browser/statistics.test.js',
  'browser/status-bar.test.js',
  'browser/update-notice.test.js',
  'browser/verbs.test.js',
  'browser/save-paths.test.js',
  'browser/add-choices.test.js',
  'browser/opened-with.test.js',
];

/** More of each of these is run with the long tests: all simulations, and twice as many inputs. */
const DEEPER = ['simulation', 'fuzz'];
const DEPTH = { SWARMD_SIMULATIONS: 'all', FUZZ_SCALE: '2' };

const MEASURING = ['integration/rate-limits.test.js', 'integration/floods.test.js', 'integration/soak.test.js'];

/** Unit tests that look at their process: its memory, what a timer of another would disturb, its exit. */
const ALONE = [
  'unit/shared-protocol/quiet-memory.test.js',
  'unit/engine/metainfo/odd-torrents.test.js',
  'unit/engine/metainfo/bencode.test.js',
  'unit/engine/tracker/announce-queue.test.js',
  'unit/engine/wire/frame-splitter.test.js',
  'unit/engine/wire/peer-wire.test.js',
  'unit/bench/measure/process-metrics.test.js',
  'unit/api/compatible/transmission/names.test.js',
];

/** Unit tests that take seconds. */
const SLOW = ['unit/api/services/blocklist/list-thread.test.js', 'unit/api/services/blocklist/list-reader.test.js'];

/** Few enough that both cores are busy to the end, and many enough that starting Node and tap is not what takes the time. */
const FILES_PER_GROUP = 32;

export type Half = 'short' | 'long' | 'both';

export class Plan {
  readonly #long = new Set(namedTests(LONG));
  readonly #deeper = new Set(namedTests(DEEPER));
  readonly #measuring = new Set(namedTests(MEASURING));
  readonly #alone = new Set(namedTests(ALONE));
  readonly #slow = new Set(namedTests(SLOW));

  /** Returns the tests of a half. Simulations and fuzzers belong to both: the long half has more of each. */
  half(tests: readonly string[], half: Half): string[] {
    if (half === 'both') return [...tests];
    if (half === 'short') return tests.filter((test) => !this.#long.has(test));
    return tests.filter((test) => this.#long.has(test) || this.#deeper.has(test));
  }

  /** Returns the environment in which the tests of a half run, which what is set already overrides. */
  environment(half: Half): Readonly<Record<string, string>> {
    return half === 'short' ? {} : DEPTH;
  }

  /** For `npm run check`: without those that take seconds. */
  quick(tests: readonly string[]): string[] {
    return tests.filter((test) => !this.#slow.has(test));
  }

  /** What takes longest comes first, and the small change fills the gaps. */
  jobs(tests: readonly string[]): Job[] {
    const grouped = tests.filter((test) => test.startsWith('unit/') && !this.#alone.has(test));
    const single = tests.filter((test) => !grouped.includes(test));
    const jobs = single.map((test): Job => ({ kind: this.#kind(test), files: [test] }));
    for (let from = 0; from < grouped.length; from += FILES_PER_GROUP) {
      jobs.push({ kind: 'computing', files: grouped.slice(from, from + FILES_PER_GROUP) });
    }
    const rank = ({ kind, files }: Job): number => ORDER.findIndex((start) => `${kind} ${files[0]}`.startsWith(start));
    return jobs.sort((a, b) => rank(a) - rank(b));
  }

  #kind(test: string): Kind {
    if (this.#measuring.has(test)) return 'measuring';
    if (test.startsWith('integration/') || test.startsWith('interop/')) return 'waiting';
    return test.startsWith('browser/') ? 'browsing' : 'computing';
  }
}

const ORDER = [
  'waiting interop/',
  'waiting',
  'computing simulation/',
  'computing fuzz/',
  'computing contract/',
  'computing unit/',
  'computing',
  'browsing',
  'measuring',
];
