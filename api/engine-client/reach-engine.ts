// Reaches an engine of a process of its own, with what it is shown of us.
import { readFile } from 'node:fs/promises';
import { systemClock } from '../../shared-protocol/clock.js';
import { firstToken } from '../../storage/stream-tokens.js';
import type { Log } from '../logging.js';
import type { EngineLink } from './engine-link.js';
import { nameOfAddress, type EngineAt } from './stream-address.js';
import { connectStream } from './stream-connection.js';
import { StreamTransport, type Figures } from './stream-transport.js';

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
