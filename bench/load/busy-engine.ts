// An engine thread with many torrents and no peers: gives some hundred of them new numbers each second, as transfers do,
// and tells of the files of each as of one that is downloading. How many is in the environment, where the
// busy daemon's parent put it.
import { parentPort } from 'node:worker_threads';
import { exposeEngine } from '../../engine/expose.js';
import { StatsWriter } from '../../shared-protocol/stats-table.js';
import { SeededRandom } from '../support/seeded-random.js';
import { BUSY_TORRENTS, busyFacts, busyFiles, busyStats, CHANGED_PER_SECOND } from './busy-library.js';
import { echoHandlers } from './echo-handlers.js';

const SECOND_MS = 1_000;
const SEED = 17;
const TORRENTS = Number(process.env[BUSY_TORRENTS]);

if (!parentPort) throw new Error('bench: the busy engine is started as a worker thread');

exposeEngine(parentPort, (emit) => ({
  ...echoHandlers(emit),
  start() {
    const random = new SeededRandom(SEED);
    const writer = new StatsWriter((table) => emit({ name: 'stats.table', payload: table }));
    const torrents = Array.from({ length: TORRENTS }, (_, index) => busyFacts(index, writer.allocate(), random));
    for (const [index, { row }] of torrents.entries()) writer.write(row, busyStats(index, random));
    emit({ name: 'torrents.added', payload: { torrents } });
    setInterval(() => {
      for (let i = 0; i < CHANGED_PER_SECOND; i++) {
        const index = random.below(TORRENTS);
        writer.write(torrents[index]!.row, busyStats(index, random));
      }
    }, SECOND_MS);
    return { peerPort: 0, torrents: TORRENTS };
  },
  inspectTorrent: ({ parts }) => (parts.includes('files') ? { files: busyFiles(new SeededRandom(Date.now())) } : {}),
}));
