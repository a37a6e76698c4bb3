// app/getDirectoryContent: what lies in a folder, so that a path can be chosen. Of administrators where they may save, of others
// in their home and nowhere else: where several accounts save, the names of files are other accounts' torrents. What may
// not be looked at is answered as what is not there.
import type { Dirent } from 'node:fs';
import { opendir } from 'node:fs/promises';
import { join } from 'node:path';
import { RequestError } from '../../../errors.js';
import { json } from '../answers.js';
import type { Answer, Call } from '../row.js';

/** No spec value: more than a person looks through. */
const MAX_NAMES = 10_000;

const MODES: Readonly<Record<string, (entry: Dirent) => boolean>> = {
  all: (entry) => entry.isDirectory() || entry.isFile(),
  dirs: (entry) => entry.isDirectory(),
  files: (entry) => entry.isFile(),
};

/** @throws RequestError `BODY_INVALID`, `NOT_FOUND` */
export async function directoryContent({ services, principal, fields }: Call): Promise<Answer> {
  const { account } = principal;
  const named = fields.required('dirPath');
  const mode = fields.text('mode') ?? 'all';
  const isShown = Object.hasOwn(MODES, mode) ? MODES[mode] : undefined;
  if (!isShown) throw new RequestError('BODY_INVALID', 'mode: expected all, dirs or files');
  if (account.role !== 'admin' && account.home === '') throw noSuchDirectory();
  const path = await services.savePaths.confine(account, named, 'dirPath').catch((error: unknown) => {
    throw error instanceof RequestError ? noSuchDirectory() : error;
  });
  return json(await namesIn(path, isShown));
}

/** Absolute; links are left out. @throws RequestError `NOT_FOUND` */
async function namesIn(path: string, isShown: (entry: Dirent) => boolean): Promise<string[]> {
  const names: string[] = [];
  try {
    for await (const entry of await opendir(path)) {
      if (isShown(entry)) names.push(join(path, entry.name));
      if (names.length === MAX_NAMES) break;
    }
  } catch {
    throw noSuchDirectory();
  }
  return names.sort();
}

function noSuchDirectory(): RequestError {
  return new RequestError('NOT_FOUND', 'dirPath: no such directory');
}
