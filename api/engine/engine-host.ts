// Starts the engine's thread and gives its log lines to the process's one logger.
import type { EngineTransport } from '../../shared-protocol/transport.js';
import type { Log } from '../logging.js';
import { createWorkerTransport } from './worker-transport.js';

/** The thread runs; `client.start` is the first command it takes. */
export function startEngine({ log }: { readonly log: Log }): EngineTransport {
  // The compiled layout is the source's, so this holds in development, tests and the build alike.
  const transport = createWorkerTransport(new URL('../../engine/worker.js', import.meta.url));
  transport.onEvent((event) => {
    if (event.name === 'log') log[event.payload.level](event.payload.message, event.payload.fields);
  });
  return transport;
}
