// Which tests are those of `npm test` and which those of `npm run test:long`. `npm test` keeps something of each kind that
// looks at the same code: a file of each sort of swarm, the fuzzers of the parsers, restarts, downloads to and from other
// programs, a page of each sort. All of it is to take less than ten minutes on two cores.
import { namedTests } from './tests.js';

export type Half = 'short' | 'long' | 'both';

/** Each file takes a browser, programs of others or several processes: they are long but for those that are kept. */
const LONG_FOLDERS = [
  'browser',
  'interop',
  'integration/compatible',
  'integration/engine-process',
  'integration/engines',
  'integration/fleet',
  'integration/network',
  'integration/postgres',
  'integration/records',
  'integration/remotes',
];

const KEPT = [
  'browser/add.test.js',
  'browser/connection.test.js',
  'browser/details.test.js',
  'browser/keyboard.test.js',
  'browser/list-filters.test.js',
  'browser/list-order.test.js',
  'browser/settings.test.js',
  'browser/torrent-menu.test.js',
  'browser/words.test.js',
  'interop/create.test.js',
  'interop/download.test.js',
  'integration/compatible/qbittorrent-changes.test.js',
  'integration/engine-process/leases.test.js',
  'integration/engine-process/strangers.test.js',
  'integration/engine-process/versions.test.js',
  'integration/engines/accounts.test.js',
  'integration/engines/processes.test.js',
  'integration/engines/strangers.test.js',
  'integration/fleet/forged-entries.test.js',
  'integration/fleet/orders.test.js',
  'integration/postgres/leases.test.js',
  'integration/postgres/opening.test.js',
  'integration/postgres/removed.test.js',
  'integration/postgres/strangers.test.js',
  'integration/postgres/unanswered-commit.test.js',
  'integration/remotes/placement.test.js',
];

/** Long by nature, or another look at what a file of `npm test` looks at. */
const LONG = [
  'contract/api/foreign-names.test.js',
  'contract/api/password-flood.test.js',
  'contract/api/permissions.test.js',
  'contract/api/tiny-chunks.test.js',
  'contract/storage/traffic-history-year.test.js',
  'fuzz/api/api.test.js',
  'fuzz/compatible',
  'fuzz/connections',
  'integration/adding.test.js',
  'integration/automations.test.js',
  'integration/backup-kills.test.js',
  'integration/backup.test.js',
  'integration/changed-data.test.js',
  'integration/chaos.test.js',
  'integration/claims-upgrade.test.js',
  'integration/command-line-archive.test.js',
  'integration/command-line.test.js',
  'integration/compatible-transmission.test.js',
  'integration/content-layout.test.js',
  'integration/counted.test.js',
  'integration/crash-states.test.js',
  'integration/create.test.js',
  'integration/dead-names.test.js',
  'integration/discovery/dht.test.js',
  'integration/discovery/pex.test.js',
  'integration/discovery/private.test.js',
  'integration/disk-trouble.test.js',
  'integration/engine/port-mapping/port-mapping.test.js',
  'integration/few-descriptors.test.js',
  'integration/files-over-http.test.js',
  'integration/floods.test.js',
  'integration/holders.test.js',
  'integration/hostile.test.js',
  'integration/import-archives.test.js',
  'integration/import-kills.test.js',
  'integration/incomplete-path.test.js',
  'integration/incomplete-suffix-moves.test.js',
  'integration/incomplete-suffix-strangers.test.js',
  'integration/incomplete-suffix.test.js',
  'integration/inside.test.js',
  'integration/media-info.test.js',
  'integration/move-existing.test.js',
  'integration/move-kills.test.js',
  'integration/move-volumes.test.js',
  'integration/npm-package.test.js',
  'integration/peer-limits.test.js',
  'integration/player.test.js',
  'integration/quotas.test.js',
  'integration/rate-limits.test.js',
  'integration/rename-kills.test.js',
  'integration/rename-peers.test.js',
  'integration/rename.test.js',
  'integration/runner/job.test.js',
  'integration/seeding-rules.test.js',
  'integration/silent-connections.test.js',
  'integration/soak.test.js',
  'integration/status.test.js',
  'integration/suffix-kills.test.js',
  'integration/unmounted.test.js',
  'integration/webhooks.test.js',
  'integration/zip-large.test.js',
  'integration/zip.test.js',
  'simulation/choking-fairness.test.js',
  'simulation/choking-fibrillation.test.js',
  'simulation/choking-tit-for-tat.test.js',
  'simulation/end-game-leeches.test.js',
  'simulation/end-game-one-fast.test.js',
  'simulation/poisoners-2.test.js',
  'simulation/swarm-2.test.js',
  'simulation/swarm-3.test.js',
  'simulation/swarm-4.test.js',
];

/** More of each of these is run with the long tests: all simulations, and twice as many inputs. */
const DEEPER = ['simulation', 'fuzz'];
const DEPTH = { SWARMD_SIMULATIONS: 'all', FUZZ_SCALE: '2' };

/** The tables are checked when it is made: each entry names a test. */
export class Halves {
  readonly #long: ReadonlySet<string>;
  readonly #deeper = new Set(namedTests(DEEPER));

  constructor() {
    const kept = new Set(namedTests(KEPT));
    const inFolders = namedTests(LONG_FOLDERS).filter((test) => !kept.has(test));
    this.#long = new Set([...inFolders, ...namedTests(LONG)]);
  }

  /** Returns the tests of a half. Simulations and fuzzers belong to both: the long half has more of each. */
  of(tests: readonly string[], half: Half): string[] {
    if (half === 'both') return [...tests];
    if (half === 'short') return tests.filter((test) => !this.#long.has(test));
    return tests.filter((test) => this.#long.has(test) || this.#deeper.has(test));
  }

  /** Returns the environment in which the tests of a half run, which what is set already overrides. */
  environment(half: Half): Readonly<Record<string, string>> {
    return half === 'short' ? {} : DEPTH;
  }
}
