// The files of a folder that are collections: in a data directory, or in what an archive of one has.
import { readdir } from 'node:fs/promises';
import { join } from 'node:path';
import { generationsOf, isErrno } from '../atomic-file.js';
import { SESSIONS } from './types.js';

/** Folders of collections, one file for each account. */
export const COLLECTION_FOLDERS = ['preferences', 'notices'] as const;
export const COLLECTION_SUFFIX = '.json';

/** Names of files of the same suffix that are none. */
const OTHERS: ReadonlySet<string> = new Set(['layout', 'runtime', 'engine-link', 'manifest', SESSIONS]);
const NAME = /^[a-z][a-z-]*$/;
const ACCOUNT_NAME = new RegExp(`^(?:${COLLECTION_FOLDERS.join('|')})/\\w+$`);

/** Whether a collection of that name has a file here. */
export function isCollectionName(name: string): boolean {
  return ACCOUNT_NAME.test(name) || (NAME.test(name) && !OTHERS.has(name));
}

/** Names of collections of which there is a file, or what a crash has left of one; ascending. */
export async function collectionNames(directory: string): Promise<string[]> {
  const { main, backup, temporary } = generationsOf(COLLECTION_SUFFIX);
  const names = new Set<string>();
  for (const folder of ['', ...COLLECTION_FOLDERS]) {
    for (const file of await namesIn(join(directory, folder))) {
      const end = [main, backup, temporary].find((each) => file.endsWith(each));
      if (end === undefined) continue;
      const name = `${folder === '' ? '' : `${folder}/`}${file.slice(0, -end.length)}`;
      if (isCollectionName(name)) names.add(name);
    }
  }
  return [...names].sort();
}

async function namesIn(folder: string): Promise<string[]> {
  try {
    return await readdir(folder);
  } catch (error) {
    if (isErrno(error, 'ENOENT')) return [];
    throw error;
  }
}
