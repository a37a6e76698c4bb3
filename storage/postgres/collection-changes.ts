// One change of a collection's row, in a transaction of its own. Owns: it is made on what all others have committed, and where
// the connection is lost with the commit, the change counts as written only where the row's signature says so.
import { AppError } from '../../shared-protocol/errors.js';
import { pause } from './back-off.js';
import { lockRow, wasWritten, writeRow, type CollectionRow, type WrittenRow } from './collection-rows.js';
import type { Database } from './database.js';

export interface RowChange<Value> {
  readonly value: Value;
  readonly written: Pick<WrittenRow, 'version' | 'data'>;
}

/**
 * Resolves to the value and its revision. `make` is given the row, without its data where the revision is `known`.
 * @throws AppError `STORAGE_FAILED`; what `make` throws
 */
export async function changeRow<Value>(
  database: Database,
  name: string,
  known: number,
  make: (row: CollectionRow) => RowChange<Value>,
): Promise<{ readonly revision: number; readonly value: Value }> {
  const { kind, value } = await database.transaction(async (query) => {
    const row = await lockRow(query, name, known);
    const change = make(row);
    const revision = row.revision + 1;
    await writeRow(query, name, { ...change.written, revision }, database.writer);
    return { revision, value: change.value };
  });
  if (kind === 'unknown' && !(await isWritten(database, name, value.revision))) {
    const message = `${placeOf(database, name)}: the connection was lost before a change was written`;
    throw new AppError('STORAGE_FAILED', `storage: ${message}`);
  }
  return value;
}

/** The collection in messages. */
export function placeOf(database: Database, name: string): string {
  return `the collection ${name} of ${database.name}`;
}

async function isWritten(database: Database, name: string, revision: number): Promise<boolean> {
  const { clock, outcomeMs } = database.options;
  const untilMs = clock.nowMs() + outcomeMs;
  for (let failures = 0; ; failures++) {
    try {
      return await wasWritten(database, name, revision);
    } catch (cause) {
      if (!database.isOpen || clock.nowMs() >= untilMs) {
        const message = `${placeOf(database, name)}: the connection was lost, and whether a change was written is not known`;
        throw new AppError('STORAGE_FAILED', `storage: ${message}`, { outcome: 'unknown' }, { cause });
      }
    }
    await pause(database.options, failures);
  }
}
