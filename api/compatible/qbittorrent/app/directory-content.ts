// app/getDirectoryContent: what lies in a folder, so that a path can be chosen. Of administrators where they may save, of others
// in their home and nowhere else: where several accounts save, the names of files are other accounts' torrents. What may
// not be looked at is answered as what is not there.
import { join } from 'node:path';
import type { Folders, ListedEntry } from '../../../../shared-protocol/folders.js';
import { RequestError } from '../../../errors.js';
import { json } from '../answers.js';
import type { Answer, Call } from '../row.js';

/** No spec value: more than a person looks through. */
const MAX_NAMES = 10_000;

const MODES: Readonly<Record<string, (entry: ListedEntry) => boolean>> = {
  all: () => true,
  dirs: ({ kind }) => kind === 'folder',
  files: ({ kind }) => kind === 'file',
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
  return json(await namesIn(services.engines.foldersOf(services.engines.nameFor(account.engine, path)), path, isShown));
}

/** Absolute; links are left out. @throws RequestError `NOT_FOUND` */
async function namesIn(
  folders: Pick<Folders, 'list'>,
  path: string,
  isShown: (entry: ListedEntry) => boolean,
): Promise<string[]> {
  const { entries } = await folders.list({ folder: path });
  if (!entries) throw noSuchDirectory();
  const shown = entries.filter((entry) => !entry.isLink && isShown(entry)).slice(0, MAX_NAMES);
  return shown.map(({ name }) => join(path, name)).sort();
}

function noSuchDirectory(): RequestError {
  return new RequestError('NOT_FOUND', 'dirPath: no such directory');
}
