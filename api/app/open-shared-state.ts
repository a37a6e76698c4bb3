// Records in a database that several fronts share. Loaded only where one is: what talks to it is of no use to anybody else.
import type { AppError } from '../../shared-protocol/errors.js';
import { addressIn } from '../../storage/postgres/address-file.js';
import { openDatabase } from '../../storage/postgres/database.js';
import { openPostgresFeedMemory } from '../../storage/postgres/postgres-feed-memory.js';
import { openPostgresLeases } from '../../storage/postgres/postgres-leases.js';
import { PostgresStateStore } from '../../storage/postgres/postgres-state-store.js';
import type { FeedMemory, Leases, StateStore } from '../../storage/types.js';
import type { Log } from '../logging.js';

export interface OpenState {
  readonly store: StateStore;
  readonly feedMemory: FeedMemory;
  /** null: no other front has these records. */
  readonly leases: Leases | null;
  /** Wall clock of where the records are: one for all fronts that have them. */
  unixMs(): number;
  close(): Promise<void>;
}

/** `databaseFile`: the file with the address. @throws AppError `STORAGE_TOO_NEW`, `STORAGE_FAILED` */
export async function openSharedState(databaseFile: string, log: Log): Promise<OpenState> {
  const database = await openDatabase(await addressIn(databaseFile));
  try {
    const onTrouble = ({ message: reason }: AppError) => log.warn('records of another front not shown', { reason });
    return {
      store: new PostgresStateStore(database, { onTrouble }),
      feedMemory: await openPostgresFeedMemory(database),
      leases: openPostgresLeases(database),
      unixMs: () => database.changes.databaseClock.unixMs(),
      close: () => database.close(),
    };
  } catch (error) {
    await database.close();
    throw error;
  }
}
