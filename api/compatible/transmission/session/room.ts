// free-space: how full the volume is of a path that the caller may save to, whether there is such a folder yet or not: what
// others have made there is none of its business. A path that it may not save to is as good as missing.
import { isAbsolute } from 'node:path';
import { RequestError } from '../../../errors.js';
import { RefusedWith } from '../answers.js';
import type { Call, Result } from '../row.js';

/** @throws RequestError `BODY_INVALID`, `PATH_UNUSABLE` */
export async function freeSpace({ services, principal, args }: Call): Promise<Result> {
  const path = args.text('path');
  if (path === undefined) throw new RequestError('BODY_INVALID', 'directory path argument is missing');
  if (!isAbsolute(path)) throw new RequestError('BODY_INVALID', 'directory path is not absolute');
  const place = await services.savePaths.confine(principal.account, path, 'path').catch((error: unknown) => {
    throw error instanceof RequestError ? unknown(path, 'No such file or directory') : error;
  });
  const room = await services.diskUsage.roomAt(principal.account, place);
  if (!room) throw unknown(path, 'Connection timed out');
  return { path, 'size-bytes': room.freeBytes, total_size: room.totalBytes };
}

function unknown(path: string, sentence: string): RefusedWith {
  return new RefusedWith(sentence, { path, 'size-bytes': -1, total_size: -1 });
}
