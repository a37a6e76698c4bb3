// The records of a database as they are at one moment, while fronts work with it.
import { addressIn } from '../postgres/address-file.js';
import { parseConnectionString } from '../postgres/connection.js';
import { onOwnConnection } from '../postgres/own-connection.js';
import type { Query } from '../postgres/query.js';
import { readRows } from './database-records.js';
import type { Records } from './types.js';

/** A database that has gone in silence holds up no backup for longer. No spec value: all items of feeds are read in seconds. */
const QUERY_MS = 120_000;

/** All records; `databaseFile`: holds where it is. @throws AppError `STORAGE_FAILED`, `STORAGE_TOO_NEW` */
export async function sharedRecords(databaseFile: string): Promise<Records> {
  const address = parseConnectionString(await addressIn(databaseFile));
  const read = async (query: Query): Promise<Records> => {
    await query('BEGIN ISOLATION LEVEL REPEATABLE READ READ ONLY');
    const records = await readRows(query, address.name);
    await query('COMMIT');
    return records;
  };
  return onOwnConnection(address, read, QUERY_MS);
}
