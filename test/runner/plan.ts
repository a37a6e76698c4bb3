// How the files of a run are distributed: which share a process, and what may run beside what. The tables are checked when a run begins: each entry names a test.
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

/** Tests of the API wait for its ticks, which come once a second. */
const WAITING = /^(?:contract|integration|interop)\//;
const MEASURING = ['integration/rate-limits.test.js', 'integration/floods.test.js', 'integration/soak.test.js'];

/** Unit tests that look at their process: its memory, what a timer of another would disturb, its descriptors, its exit. */
const ALONE = [
  'unit/shared-protocol/quiet-memory.test.js',
  'unit/engine/metainfo/odd-torrents.test.js',
  'unit/engine/metainfo/bencode.test.js',
  'unit/engine/tracker/announce-queue.test.js',
  'unit/engine/wire/frame-splitter.test.js',
  'unit/engine/wire/peer-wire.test.js',
  'unit/bench/measure/process-metrics.test.js',
  'unit/api/compatible/transmission/names.test.js',
  'unit/api/services/hooks/hook-program.test.js',
];

/** Unit tests that take seconds. */
const SLOW = ['unit/api/services/blocklist/list-thread.test.js', 'unit/api/services/blocklist/list-reader.test.js'];

/** Few enough that both cores are busy to the end, and many enough that starting Node and tap is not what takes the time. */
const FILES_PER_GROUP = 32;

export class Plan {
  readonly #measuring = new Set(namedTests(MEASURING));
  readonly #alone = new Set(namedTests(ALONE));
  readonly #slow = new Set(namedTests(SLOW));

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
    if (WAITING.test(test)) return 'waiting';
    return test.startsWith('browser/') ? 'browsing' : 'computing';
  }
}

const ORDER = [
  'waiting interop/',
  'waiting',
  'computing simulation/',
  'computing fuzz/',
  'computing unit/',
  'computing',
  'browsing',
  'measuring',
];
