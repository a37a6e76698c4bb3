// An engine thread without an engine, so that the transport alone is measured.
import { parentPort } from 'node:worker_threads';
import { exposeEngine } from '../../engine/expose.js';
import { echoHandlers } from './echo-handlers.js';

if (!parentPort) throw new Error('bench: the echo engine is started as a worker thread');

exposeEngine(parentPort, echoHandlers);
