// The rows of collections in SQL. Owns: whoever writes a row has locked it first, and tells the other fronts of it in the
// same transaction.
import { AppError } from '../../shared-protocol/errors.js';
import { CHANNELS } from './listening-connection.js';
import type { Database } from './database.js';
import type { Query } from './query.js';

export interface CollectionRow {
  /** The version of the shape of `data`. */
  readonly version: number;
  /** Counts the changes, removals among them. */
  readonly revision: number;
  /** null: nothing is stored. */
  readonly data: unknown;
}

/** Data as the text of JSON, which is kept as it is. */
export type WrittenRow = CollectionRow & { readonly data: string | null };

/** Contents of the row of a collection that is removed. */
export const REMOVED: Pick<WrittenRow, 'version' | 'data'> = { version: 0, data: null };

/** Adds the row if there is none, and forgets processes that have long ended. */
export async function addRow(query: Query, name: string): Promise<void> {
  await query('INSERT INTO collections (name, version, revision) VALUES ($1, 0, 0) ON CONFLICT DO NOTHING', [name]);
  await query(`DELETE FROM collection_writers WHERE name = $1 AND written_at < now() - interval '30 days'`, [name]);
}

/** Names that begin so, of collections of which something is stored. */
export async function storedNames(query: Query, prefix: string): Promise<string[]> {
  const rows = await query<{ name: string }>(
    'SELECT name FROM collections WHERE starts_with(name, $1) AND data IS NOT NULL',
    [prefix],
  );
  return rows.map(({ name }) => name);
}

/** The row if it is newer than `known`. */
export async function readNewer(query: Query, name: string, known: number): Promise<CollectionRow | undefined> {
  const [row] = await query<CollectionRow>(
    'SELECT version, revision::float8, data FROM collections WHERE name = $1 AND revision > $2',
    [name, known],
  );
  return row;
}

/** Locks the row until the end of the transaction. Its data are left out where it is the one that is known. */
export async function lockRow(query: Query, name: string, known: number): Promise<CollectionRow> {
  const [row] = await query<CollectionRow>(
    `SELECT version, revision::float8, CASE WHEN revision <> $2 THEN data END AS data
     FROM collections WHERE name = $1 FOR UPDATE`,
    [name, known],
  );
  if (!row) throw new AppError('STORAGE_FAILED', `storage: there is no row of the collection ${name} any more`);
  return row;
}

/** Writes a row that the transaction has locked. */
export async function writeRow(query: Query, name: string, row: WrittenRow, writer: string): Promise<void> {
  await query(
    `WITH changed AS (UPDATE collections SET version = $2, revision = $3, data = $4 WHERE name = $1),
          signed AS (INSERT INTO collection_writers (name, writer, revision, written_at) VALUES ($1, $5, $3, now())
                     ON CONFLICT (name, writer) DO UPDATE SET revision = $3, written_at = now())
     SELECT pg_notify('${CHANNELS.collections}', $6)`,
    [name, row.version, row.revision, row.data, writer, `${name} ${row.revision}`],
  );
}

/** The collection and the revision that a notification tells of. */
export function toldOf(payload: string): { readonly name: string; readonly revision: number } {
  const [name = '', revision] = payload.split(' ');
  return { name, revision: Number(revision) };
}

/** Whether the process has written the revision. The lock is had only once the transaction that may have is over. */
export async function wasWritten(database: Database, name: string, revision: number): Promise<boolean> {
  const { value } = await database.transaction(async (query) => {
    await lockRow(query, name, revision);
    const [signed] = await query<{ revision: number }>(
      'SELECT revision::float8 FROM collection_writers WHERE name = $1 AND writer = $2',
      [name, database.writer],
    );
    return signed?.revision === revision;
  });
  return value;
}
