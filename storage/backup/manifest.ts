// What lies in an archive of the state: a list of its files with their sizes and checksums, and which names such files may have.
import { createHash } from 'node:crypto';
import { createReadStream } from 'node:fs';
import { pipeline } from 'node:stream/promises';
import { z } from 'zod';
import { COLLECTION_FOLDERS } from '../records/collection-files.js';

export const MANIFEST = 'manifest.json';
/** Archives of newer ones are refused. */
export const BACKUP_VERSION = 1;
/** The folders of the databases below a data directory, in the order in which they are copied; see copy-state.ts. */
export const DATABASES = ['feeds', 'torrents', 'traffic'] as const;
export const DATABASE_FILE = 'data.mdb';

const NAME = new RegExp(
  `^(?:(?:${DATABASES.join('|')})/${DATABASE_FILE}|(?:(?:${COLLECTION_FOLDERS.join('|')})/)?[a-z0-9][a-z0-9-]{0,80}\\.json)$`,
);

/** Tells whether an archive may hold a file of that name. */
export function isBackupName(name: string): boolean {
  return NAME.test(name) && name !== MANIFEST;
}

export const manifestSchema = z.object({
  format: z.literal('swarmd-backup'),
  version: z.int().min(1),
  /** The version of the program that wrote it. */
  program: z.string(),
  /** Unix seconds. */
  created_at: z.int().min(0),
  files: z.array(z.object({ name: z.string().refine(isBackupName), size: z.int().min(0), sha256: z.string() })),
});
export type Manifest = Readonly<z.infer<typeof manifestSchema>>;

/** In hexadecimal. */
export async function sha256Of(path: string): Promise<string> {
  const hash = createHash('sha256');
  await pipeline(createReadStream(path), hash);
  return hash.digest('hex');
}
