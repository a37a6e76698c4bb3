// The echo engine in a worker thread: what test/contract/transport runs the worker transport against.
import { parentPort } from 'node:worker_threads';
import { AppError } from '../../shared-protocol/errors.js';
import { exposeEngine } from '../../engine/expose.js';
import { createEchoEngine } from './echo-engine.js';

if (!parentPort) throw new AppError('BUG', 'bug: the echo engine is started as a worker thread');

exposeEngine(parentPort, (emit) => createEchoEngine(emit, { exit: (code) => process.exit(code) }));
