// Records as files of a folder: what a data directory has, and an archive of one.
import { mkdir, rm, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { PRIVATE_FILE_MODE, removeGenerations } from '../atomic-file.js';
import { sealEnvelope } from '../collection-envelope.js';
import { readStored } from '../collection-file.js';
import { collectionFile } from '../collection-names.js';
import { COLLECTION_FOLDERS, collectionNames } from './collection-files.js';
import { readFeeds, writeFeeds } from './feeds-in-folder.js';
import type { Records, StoredCollection } from './types.js';

const FOLDER_MODE = 0o700;
const FEEDS = 'feeds';

/** All records there; nobody else works on the folder. @throws AppError `STORAGE_TOO_NEW`, `STORAGE_FAILED`: a file is damaged */
export async function readFolder(folder: string): Promise<Records> {
  const collections: StoredCollection[] = [];
  for (const name of await collectionNames(folder)) {
    const stored = await readStored(collectionFile(folder, name));
    if (stored) collections.push({ name, ...stored });
  }
  return { collections, feeds: await readFeeds(join(folder, FEEDS)) };
}

/** Into a folder without records; syncs nothing. */
export async function writeFolder(folder: string, { collections, feeds }: Records): Promise<void> {
  for (const { name, version, data } of collections) {
    const file = collectionFile(folder, name);
    await mkdir(dirname(file), { recursive: true, mode: FOLDER_MODE });
    await writeFile(file, sealEnvelope(version, data), { mode: PRIVATE_FILE_MODE });
  }
  if (feeds.length > 0) await writeFeeds(join(folder, FEEDS), feeds);
}

/** Also what crashes have left of them. */
export async function removeFolderRecords(folder: string): Promise<void> {
  for (const name of await collectionNames(folder)) await removeGenerations(collectionFile(folder, name));
  for (const name of [FEEDS, ...COLLECTION_FOLDERS]) await rm(join(folder, name), { recursive: true, force: true });
}
