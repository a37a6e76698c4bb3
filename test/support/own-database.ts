// The database of a daemon under test, where the tests are run with SWARMD_TEST_STORE=postgres: everything that is promised of a
// daemon is promised of one whose records are in PostgreSQL.
import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { firstShape } from '../../storage/collection-shape.js';
import { DirectoryStateStore } from '../../storage/directory-state-store.js';
import { openDatabase } from '../../storage/postgres/database.js';
import { PostgresStateStore } from '../../storage/postgres/postgres-state-store.js';
import type { StateStore } from '../../storage/types.js';
import { PostgresCluster } from './postgres.js';
import { temporaryDirectory } from './temporary-directory.js';

/** One for all daemons of the process. */
let cluster: Promise<PostgresCluster> | null = null;
/** The file with the address of its database, by data directory: a daemon that starts again there has its records again. */
const files = new Map<string, Promise<string>>();

/** Whether the records of daemons under test are in PostgreSQL. */
export function wantsDatabase(): boolean {
  return process.env['SWARMD_TEST_STORE'] === 'postgres';
}

/** Flags of a daemon on a data directory by which its records are where the run of tests wants them. */
export async function storeFlags(dataDir: string): Promise<string[]> {
  if (!wantsDatabase()) return [];
  const file = files.get(dataDir) ?? makeDatabase();
  files.set(dataDir, file);
  return ['--database-file', await file];
}

/** The records of a daemon on a data directory, which the test looks into or changes itself. */
export async function withRecords<Result>(
  dataDir: string,
  run: (store: StateStore) => Promise<Result>,
): Promise<Result> {
  const [, file] = await storeFlags(dataDir);
  if (file === undefined) return run(new DirectoryStateStore(dataDir));
  const database = await openDatabase((await readFile(file, 'utf8')).trim());
  try {
    return await run(new PostgresStateStore(database));
  } finally {
    await database.close();
  }
}

/** Data that are stored under a name, with the change made to them if there is one. */
export function record<Data>(dataDir: string, name: string, change?: (data: Data) => void): Promise<Data> {
  return withRecords(dataDir, async (store) => {
    const collection = await store.open(name, firstShape({ parse: (data) => data as Data }, {} as Data));
    if (change) await collection.update(change);
    return collection.data;
  });
}

async function makeDatabase(): Promise<string> {
  const [own, directory] = await Promise.all([(cluster ??= PostgresCluster.start()), temporaryDirectory()]);
  const file = join(directory, 'database');
  await writeFile(file, `${own.address(await own.createDatabase())}\n`, { mode: 0o600 });
  return file;
}
