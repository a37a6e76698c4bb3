// Reads an archive, or a part of one, as it comes, onto the disk. The body is its bytes, whatever its Content-Type says.
import type { IncomingMessage } from 'node:http';
import type { ImportArchiveDto } from '../../../shared-protocol/dto/import-archives.js';
import { importArchiveQuerySchema } from '../../../shared-protocol/dto/import-archives.js';
import { because } from '../../../shared-protocol/reasons.js';
import { RequestError } from '../../errors.js';
import type { Admitted } from '../../routes/admitted.js';
import { check } from '../../routes/input.js';
import { ARCHIVE_BOUNDS } from '../../services/import/archive/bounds.js';
import type { Bodies } from './bodies.js';

/** By the declared length, before anything is read. @throws RequestError `BODY_INVALID` */
export function checkDeclaredArchive({ headers }: IncomingMessage): void {
  const { compressedBytes } = ARCHIVE_BOUNDS;
  if (Number(headers['content-length'] ?? 0) > compressedBytes)
    throw new RequestError(
      'BODY_INVALID',
      `archive: is larger than ${compressedBytes} bytes`,
      because('ARCHIVE_TOO_LARGE', { max: compressedBytes }),
    );
}

/** @throws RequestError, AppError: those of `ImportArchives.receive`, and `TOO_MANY_BODIES`, `BODY_STALLED` */
export async function readArchive(
  bodies: Bodies,
  { request, principal, query, services }: Admitted,
): Promise<ImportArchiveDto> {
  if (!principal) throw new RequestError('UNAUTHORIZED');
  const part = check(importArchiveQuerySchema, query);
  const { id } = principal.account;
  return bodies.receive('archive', String(id), request, async () => {
    // A refusal is answered: the connection stays, and the rest of the body is passed over.
    const bytes = request.iterator({ destroyOnReturn: false }) as AsyncIterable<Uint8Array>;
    const gone = new AbortController();
    const giveUp = (): void => gone.abort();
    // The request itself is closed as soon as it has been read; a sender that leaves while it is unpacked closes the connection.
    request.socket.once('close', giveUp);
    try {
      return await services.importArchives.receive(id, part, bytes, gone.signal);
    } finally {
      request.socket.off('close', giveUp);
      request.resume();
    }
  });
}
