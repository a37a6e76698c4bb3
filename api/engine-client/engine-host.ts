// Starts the engine's thread, and gives its log lines to the process's one logger.
import { readFile } from 'node:fs/promises';
import { systemClock } from '../../shared-protocol/clock.js';
import type { EngineTransport } from '../../shared-protocol/transport.js';
import type { Log } from '../logging.js';
import { firstToken } from '../../storage/stream-tokens.js';
import type { EngineLink } from './engine-link.js';
import { nameOfAddress, type EngineAt } from './stream-address.js';
import { connectStream } from './stream-connection.js';
import { StreamTransport, type Figures } from './stream-transport.js';
import { createWorkerTransport } from '../../shared-protocol/worker-transport.js';

/** The thread begins to load its modules; `client.start` is the first command it takes. It says nothing before. */
export function startEngine(): EngineTransport {
  // The compiled layout is the source's, so this holds in development, tests and the build alike.
  return createWorkerTransport(new URL('../../engine/worker.js', import.meta.url));
}

/** Begins to reach an engine of its own process. @throws AppError, system errors of the files that are named */
export async function reachEngine(
  at: EngineAt,
  link: EngineLink,
  { log, figures }: { readonly log: Log; readonly figures?: Figures },
): Promise<StreamTransport> {
  const { address, tokenFile, authorityFile, certificate } = at;
  const credentials = {
    frontId: link.frontId,
    token: tokenFile === null ? null : await firstToken(tokenFile),
    authority: authorityFile === null ? null : await readFile(authorityFile),
    certificate: certificate && {
      cert: await readFile(certificate.certFile),
      key: await readFile(certificate.keyFile),
    },
  };
  return new StreamTransport({
    ...{ link, clock: systemClock, random: Math.random, log, name: nameOfAddress(address) },
    ...(figures && { figures }),
    connect: (handlers) => connectStream(address, credentials, handlers),
  });
}

export function logEngine(engine: EngineTransport, log: Log): EngineTransport {
  engine.onEvent((event) => {
    if (event.name === 'log') log[event.payload.level](event.payload.message, event.payload.fields);
  });
  return engine;
}
