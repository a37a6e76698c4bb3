// Writes one row of a stats table as fast as it can, every number of it derived from one counter, so that a reader
// can tell a whole row from a mixture of two. Ends when the first 32 bits of the control buffer are set.
import { parentPort, workerData } from 'node:worker_threads';
import { StatsWriter } from '../../shared-protocol/stats-table.js';
import { statsOf } from './whole-stats.js';

const control = new Int32Array(workerData as SharedArrayBuffer);
const writer = new StatsWriter((table) => parentPort?.postMessage({ table }));
const { row, tag } = writer.allocate();
parentPort?.postMessage({ row, tag });
for (let counter = 1; Atomics.load(control, 0) === 0; counter++) writer.write(row, statsOf(counter));
