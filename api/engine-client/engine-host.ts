// Starts the engine's thread, and gives its log lines to the process's one logger.
import type { EngineTransport } from '../../shared-protocol/transport.js';
import type { Log } from '../logging.js';
import { createWorkerTransport } from '../../shared-protocol/worker-transport.js';

/** The thread begins to load its modules; `client.start` is the first command it takes. It says nothing before. */
export function startEngine(): EngineTransport {
  // The compiled layout is the source's, so this holds in development, tests and the build alike.
  return createWorkerTransport(new URL('../../engine/worker.js', import.meta.url));
}

export function logEngine(engine: EngineTransport, log: Log): EngineTransport {
  engine.onEvent((event) => {
    if (event.name === 'log') log[event.payload.level](event.payload.message, event.payload.fields);
  });
  return engine;
}
