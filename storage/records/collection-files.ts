// The files of a folder that are collections: in a data directory, or in what an archive of one has.
import { namesOfFiles } from '../collection-names.js';
import { SESSIONS } from './types.js';

/** Folders of collections, one file for each account. */
export const COLLECTION_FOLDERS = ['preferences', 'notices'] as const;

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
  const prefixes = ['', ...COLLECTION_FOLDERS.map((folder) => `${folder}/`)];
  const names = await Promise.all(prefixes.map((prefix) => namesOfFiles(directory, prefix)));
  return names.flat().filter(isCollectionName).sort();
}
