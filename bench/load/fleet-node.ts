// An engine of a process of its own with many torrents and no peers, as a front has several: each tenth of a second some of them are
// given new numbers, among them the time, by which whoever sees them knows how old they are. Arguments: the socket, how many torrents,
// how many change each second, and its number among the others. Reports `ready`.
import { mkdtempSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { startHost } from '../../engine-process/host.js';
import { newStreamId } from '../../engine-process/front-listener.js';
import { KeptOptions } from '../../engine-process/kept-options.js';
import { Roots } from '../../engine-process/roots.js';
import { systemClock } from '../../shared-protocol/clock.js';
import { createInProcessTransport } from '../../test/support/in-process-transport.js';
import { StatsWriter } from '../../shared-protocol/stats-table.js';
import { removeOnExit } from '../support/clean-up.js';
import { SeededRandom } from '../support/seeded-random.js';
import { busyFacts, busyStats } from './busy-library.js';
import { echoHandlers } from './echo-handlers.js';
import { endWithParent, reportEvent } from './load-job.js';

const [socket = '', torrentCount = '', changedPerSecond = '', number = ''] = process.argv.slice(2);
const TORRENTS = Number(torrentCount);
const CHANGE_EVERY_MS = 100;
const CHANGED_AT_ONCE = (Number(changedPerSecond) * CHANGE_EVERY_MS) / 1_000;
const TOLD_AT_ONCE = 500;
const MOVING = Math.ceil(TORRENTS / 100);
const AT_REST = { downloadRate: 0, uploadRate: 0 };

endWithParent();
const dataDir = mkdtempSync(join(tmpdir(), 'swarmd-bench-node-'));
removeOnExit(dataDir);
const nothing = () => undefined;
await startHost({
  at: { kind: 'unix', path: socket },
  ...{ tls: null, tokens: null, maxFronts: 1, clock: systemClock, engineId: newStreamId(), version: 'bench' },
  log: { info: nothing, warn: nothing },
  own: {
    ...{ dataDir, roots: [], sharing: null, peerPort: null, fetchAllow: null },
    ...{ logLevel: 'warn' as const, userAgent: 'bench' },
  },
  roots: new Roots({ roots: [{ name: 'data', path: dirname(socket) }], dataDir }),
  kept: new KeptOptions((name) => join(dataDir, name), nothing),
  onLog: nothing,
  onDied: ({ message }) => reportEvent('error', { message }),
  createEngine: () =>
    createInProcessTransport((emit) => ({
      ...echoHandlers(emit),
      start() {
        const random = new SeededRandom(Number(number));
        const writer = new StatsWriter((table) => emit({ name: 'stats.table', payload: table }));
        const torrents = Array.from({ length: TORRENTS }, (_, index) => busyFacts(index, writer.allocate(), random));
        // One in a hundred moves, and goes on doing so; the others seed, and nobody wants anything of them.
        for (const [index, { row }] of torrents.entries())
          writer.write(row, { ...busyStats(index, random), ...AT_REST });
        for (let from = 0; from < TORRENTS; from += TOLD_AT_ONCE) {
          emit({ name: 'torrents.added', payload: { torrents: torrents.slice(from, from + TOLD_AT_ONCE) } });
        }
        setInterval(() => {
          for (let i = 0; i < CHANGED_AT_ONCE; i++) {
            const index = random.below(MOVING);
            writer.write(torrents[index]!.row, { ...busyStats(index, random), totalDown: Date.now() });
          }
        }, CHANGE_EVERY_MS);
        return { peerPort: 0, torrents: TORRENTS };
      },
    })),
});
reportEvent('ready', {});
