// Where the records are that people edit: files of the data directory, or a database that several fronts share.
import type { DataDirectory } from '../../storage/data-directory.js';
import { DirectoryStateStore } from '../../storage/directory-state-store.js';
import { openFeedMemory } from '../../storage/lmdb-feed-memory.js';
import { refuseMarked } from '../../storage/records/mark.js';
import { systemClock } from '../clocks.js';
import type { Options } from '../cli/options.js';
import type { Log } from '../logging.js';
import type { OpenState } from './open-shared-state.js';

/** @throws AppError `STORAGE_TOO_NEW`, `STORAGE_FAILED`, `RECORDS_ELSEWHERE` */
export async function openState(
  { databaseFile }: Pick<Options, 'databaseFile'>,
  directory: DataDirectory,
  log: Log,
): Promise<OpenState> {
  if (databaseFile !== null) return (await import('./open-shared-state.js')).openSharedState(databaseFile, log);
  await refuseMarked(directory.path);
  const onFallback = (file: string, reason: string) => log.warn('a damaged file was passed over', { file, reason });
  const feedMemory = openFeedMemory(directory.file('feeds'));
  return {
    store: new DirectoryStateStore(directory.path, { onFallback }),
    ...{ feedMemory, leases: null, unixMs: systemClock.unixMs },
    close: () => feedMemory.close(),
  };
}
