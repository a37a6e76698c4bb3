// Where the records are that people edit: files of the data directory, or a database that several fronts share.
import type { AppError } from '../../shared-protocol/errors.js';
import type { DataDirectory } from '../../storage/data-directory.js';
import { DirectoryStateStore } from '../../storage/directory-state-store.js';
import { openFeedMemory } from '../../storage/lmdb-feed-memory.js';
import { addressIn } from '../../storage/postgres/address-file.js';
import { openDatabase } from '../../storage/postgres/database.js';
import { openPostgresFeedMemory } from '../../storage/postgres/postgres-feed-memory.js';
import { openPostgresLeases } from '../../storage/postgres/postgres-leases.js';
import { PostgresStateStore } from '../../storage/postgres/postgres-state-store.js';
import { refuseMarked } from '../../storage/records/mark.js';
import type { FeedMemory, Leases, StateStore } from '../../storage/types.js';
import type { Options } from '../cli/options.js';
import type { Log } from '../logging.js';

export interface OpenState {
  readonly store: StateStore;
  readonly feedMemory: FeedMemory;
  /** null: no other front has these records. */
  readonly leases: Leases | null;
  close(): Promise<void>;
}

/** @throws AppError `STORAGE_TOO_NEW`, `STORAGE_FAILED`, `RECORDS_ELSEWHERE` */
export async function openState(
  { databaseFile }: Pick<Options, 'databaseFile'>,
  directory: DataDirectory,
  log: Log,
): Promise<OpenState> {
  if (databaseFile !== null) return openShared(await addressIn(databaseFile), log);
  await refuseMarked(directory.path);
  const onFallback = (file: string, reason: string) => log.warn('a damaged file was passed over', { file, reason });
  const feedMemory = openFeedMemory(directory.file('feeds'));
  return {
    store: new DirectoryStateStore(directory.path, { onFallback }),
    ...{ feedMemory, leases: null },
    close: () => feedMemory.close(),
  };
}

/** @throws AppError `STORAGE_TOO_NEW`, `STORAGE_FAILED` */
async function openShared(address: string, log: Log): Promise<OpenState> {
  const database = await openDatabase(address);
  try {
    const onTrouble = ({ message: reason }: AppError) => log.warn('records of another front not shown', { reason });
    return {
      store: new PostgresStateStore(database, { onTrouble }),
      feedMemory: await openPostgresFeedMemory(database),
      leases: openPostgresLeases(database),
      close: () => database.close(),
    };
  } catch (error) {
    await database.close();
    throw error;
  }
}
