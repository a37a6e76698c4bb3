// A thread that begins to give its memory back, again and again, beside others that do the same.
import { parentPort } from 'node:worker_threads';
import { returnMemoryWhenQuiet } from '../../shared-protocol/quiet-memory.js';
import { VirtualClock } from './virtual-clock.js';

const TIMES = 400;

for (let i = 0; i < TIMES; i++) returnMemoryWhenQuiet(new VirtualClock());
parentPort?.postMessage('done');
