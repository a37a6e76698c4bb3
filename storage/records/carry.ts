// Records carried from a data directory into a database and back. Owns: the target has none before, all of them or none come there,
// and the source stays as it is.
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { systemClock } from '../../shared-protocol/clock.js';
import { AppError } from '../../shared-protocol/errors.js';
import { LAYOUT_FILE, openDataDirectory } from '../data-directory.js';
import { addressIn } from '../postgres/address-file.js';
import { storedNames } from '../postgres/collection-rows.js';
import { parseConnectionString } from '../postgres/connection.js';
import { onOwnConnection } from '../postgres/own-connection.js';
import { layBeside } from './arrival.js';
import { readRows, writeRows } from './database-records.js';
import { readFolder } from './folder-records.js';
import { readMark, writeMark } from './mark.js';
import { countsOf, isSame, type RecordCounts, type Records } from './types.js';
import { withoutFronts } from './without-fronts.js';

/** Names of what is in the way that a message has. */
const SHOWN_NAMES = 5;

export interface CarryParams {
  readonly dataDir: string;
  /** Holds where the database is. */
  readonly databaseFile: string;
}

/** Records that are in both places now. */
export interface Carried {
  readonly counts: RecordCounts;
  /** The database in messages. */
  readonly database: string;
  /** Whether they had been carried before, and are the same still. */
  readonly already: boolean;
}

/** @throws AppError `RECORDS_MISSING`, `RECORDS_IN_THE_WAY`, `RECORDS_ELSEWHERE`, `STORAGE_…` */
export async function carryToDatabase({ dataDir, databaseFile }: CarryParams): Promise<Carried> {
  if (!existsSync(join(dataDir, LAYOUT_FILE))) {
    throw new AppError('RECORDS_MISSING', `${dataDir} is no data directory: there is no ${LAYOUT_FILE} in it`);
  }
  const directory = await openDataDirectory(dataDir);
  try {
    const mark = await readMark(dataDir);
    const records = await readFolder(dataDir);
    const carried = await intoDatabase(records, databaseFile, dataDir, mark);
    if (mark === null) await writeMark(dataDir, carried.database, systemClock.unixMs());
    return carried;
  } finally {
    directory.release();
  }
}

/** `from`: where they are, in messages. `mark`: what is said of an earlier time. @throws as {@link carryToDatabase} */
export async function intoDatabase(
  records: Records,
  databaseFile: string,
  from: string,
  mark: string | null = null,
): Promise<Carried> {
  if (!isWhole(records)) throw new AppError('RECORDS_MISSING', `${from} has no records: there are no accounts in it`);
  const address = parseConnectionString(await addressIn(databaseFile));
  const { name } = address;
  const already = await onOwnConnection(address, (query) =>
    withoutFronts(query, name, systemClock, async () => {
      const there = await readRows(query, name);
      if (isSame(there, records)) return true;
      if (mark !== null) {
        const message = `the records of ${from} were ${mark}, and are others than those of ${name} by now`;
        throw new AppError('RECORDS_ELSEWHERE', `${message}: nothing was changed`);
      }
      // Sessions among them: these would open accounts that are others.
      refuse(name, [...(await storedNames(query, '')), ...namesOfFeeds(there)]);
      await writeRows(query, records);
      return false;
    }),
  );
  return { counts: countsOf(records), database: name, already };
}

/** @throws AppError `RECORDS_MISSING`, `RECORDS_IN_THE_WAY`, `STORAGE_…` */
export async function carryToFiles({ dataDir, databaseFile }: CarryParams): Promise<Carried> {
  const address = parseConnectionString(await addressIn(databaseFile));
  const { name } = address;
  const directory = await openDataDirectory(dataDir);
  try {
    const there = (await readMark(dataDir)) === null ? await readFolder(dataDir) : null;
    return await onOwnConnection(address, (query) =>
      withoutFronts(query, name, systemClock, async () => {
        const records = await readRows(query, name);
        if (!isWhole(records))
          throw new AppError('RECORDS_MISSING', `${name} has no records: there are no accounts in it`);
        const already = there !== null && isSame(there, records);
        if (!already) {
          refuse(dataDir, there ? [...there.collections.map((one) => one.name), ...namesOfFeeds(there)] : []);
          const beside = await layBeside(dataDir, records);
          // The locks have been held until now.
          await query('SELECT 1');
          await beside.commit();
        }
        return { counts: countsOf(records), database: name, already };
      }),
    );
  } finally {
    directory.release();
  }
}

function isWhole({ collections }: Records): boolean {
  return collections.some(({ name }) => name === 'accounts');
}

function namesOfFeeds({ feeds }: Records): string[] {
  return feeds.length > 0 ? ['items of feeds'] : [];
}

/** `names`: of what is there. @throws AppError `RECORDS_IN_THE_WAY` unless that is nothing */
function refuse(where: string, names: readonly string[]): void {
  if (names.length === 0) return;
  const shown = `${names.slice(0, SHOWN_NAMES).join(', ')}${names.length > SHOWN_NAMES ? ', …' : ''}`;
  throw new AppError('RECORDS_IN_THE_WAY', `${where} has records already (${shown}): nothing was changed`);
}
