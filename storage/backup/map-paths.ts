// Paths in a state that was brought elsewhere, told in paths of this machine: all texts of rows and collections that begin with a path
// of there. Texts that are no paths do not begin so.
import { readdir } from 'node:fs/promises';
import { join } from 'node:path';
import { AppError } from '../../shared-protocol/errors.js';
import { mappedPath, type PathMapping } from '../../shared-protocol/path-map.js';
import { readIfExists, replaceFile } from '../atomic-file.js';
import { openEnvelope, sealEnvelope } from '../collection-envelope.js';
import { openTorrentStore } from '../lmdb-torrent-store.js';

/** Torrents whose rows share a commit. */
const AT_ONCE = 500;

/** `directory`: a data directory that nobody uses. */
export async function mapPaths(directory: string, mappings: readonly PathMapping[]): Promise<void> {
  if (mappings.length === 0) return;
  for (const name of await readdir(directory)) {
    if (name.endsWith('.json') && name !== 'layout.json') await mapCollection(join(directory, name), mappings);
  }
  const store = openTorrentStore(join(directory, 'torrents'));
  try {
    const rows = [...store.rows()];
    for (let from = 0; from < rows.length; from += AT_ONCE) {
      const some = rows.slice(from, from + AT_ONCE);
      await Promise.all(some.map((row) => store.update(row.id, mapped(row, mappings))));
    }
  } finally {
    await store.close();
  }
}

async function mapCollection(file: string, mappings: readonly PathMapping[]): Promise<void> {
  const bytes = await readIfExists(file);
  if (!bytes) return;
  const opened = openEnvelope(bytes);
  if (opened.kind === 'damaged') throw new AppError('STORAGE_FAILED', `${file}: ${opened.reason}`);
  await replaceFile(file, sealEnvelope(opened.version, mapped(opened.data, mappings)));
}

/** Pure. */
export function mapped<Value>(value: Value, mappings: readonly PathMapping[]): Value {
  if (typeof value === 'string') return mappedPath(value, mappings) as Value;
  if (Array.isArray(value)) return value.map((item: unknown) => mapped(item, mappings)) as Value;
  if (typeof value !== 'object' || value === null || ArrayBuffer.isView(value)) return value;
  return Object.fromEntries(
    Object.entries(value).map(([key, item]) => [key, mapped<unknown>(item, mappings)]),
  ) as Value;
}
