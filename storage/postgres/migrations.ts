// The schema of the database, as the steps by which it came about. Each is a transaction under one lock, so that fronts that
// start together do each once; a step that is released is never changed.
import { AppError } from '../../shared-protocol/errors.js';
import type { Query } from './query.js';

/** Statements by step; the first is number 1. Fronts of the version before go on meanwhile, so that steps only add. */
export type Migrations = readonly (readonly string[])[];

const MIGRATIONS: Migrations = [
  [
    // `data` is null until something is stored, and after that was removed.
    `CREATE TABLE collections (
       name text PRIMARY KEY,
       version integer NOT NULL,
       revision bigint NOT NULL,
       data json
     )`,
    // The last revision that each process has written: what tells whether a commit that was not answered took place.
    `CREATE TABLE collection_writers (
       name text NOT NULL,
       writer uuid NOT NULL,
       revision bigint NOT NULL,
       written_at timestamptz NOT NULL,
       PRIMARY KEY (name, writer)
     )`,
  ],
  [
    // A row stays when its lease is over, so that the epoch never begins anew.
    `CREATE TABLE leases (
       name text PRIMARY KEY,
       holder text NOT NULL,
       epoch bigint NOT NULL,
       until timestamptz NOT NULL
     )`,
  ],
  [
    `CREATE TABLE feed_polls (feed_id integer PRIMARY KEY, poll json NOT NULL)`,
    // How many items became torrents; those that were trimmed are counted still.
    `CREATE TABLE feed_counts (feed_id integer PRIMARY KEY, added bigint NOT NULL)`,
    // key: storage/feed-item-key.ts.
    `CREATE TABLE feed_items (
       feed_id integer NOT NULL,
       key text NOT NULL,
       item json NOT NULL,
       PRIMARY KEY (feed_id, key)
     )`,
  ],
];

/** The key of the lock, any number that others do not use: "swarmd" in ASCII. */
const LOCK = 0x73_77_61_72_6d_64;

/** Brings the schema up to date. @throws AppError `STORAGE_TOO_NEW`, `STORAGE_FAILED`; the connection is then to be closed */
export async function migrate(name: string, query: Query, migrations = MIGRATIONS): Promise<void> {
  while (await step(name, query, migrations));
}

/** @returns whether there may be another */
async function step(name: string, query: Query, migrations: Migrations): Promise<boolean> {
  await query('BEGIN ISOLATION LEVEL READ COMMITTED READ WRITE');
  await query('SELECT pg_advisory_xact_lock($1)', [LOCK]);
  const version = await currentVersion(query);
  if (version > migrations.length) {
    const known = `this program knows up to ${migrations.length}`;
    throw new AppError('STORAGE_TOO_NEW', `storage: the schema of ${name} has version ${version}; ${known}`);
  }
  const statements = migrations[version];
  if (statements) {
    for (const statement of statements) await query(statement);
    await query('INSERT INTO schema_migrations (number, applied_at) VALUES ($1, now())', [version + 1]);
  }
  await query('COMMIT');
  return statements !== undefined;
}

async function currentVersion(query: Query): Promise<number> {
  const [table] = await query<{ is_there: boolean }>(`SELECT to_regclass('schema_migrations') IS NOT NULL AS is_there`);
  if (!table?.is_there) {
    await query('CREATE TABLE schema_migrations (number integer PRIMARY KEY, applied_at timestamptz NOT NULL)');
  }
  const [newest] = await query<{ number: number }>('SELECT coalesce(max(number), 0) AS number FROM schema_migrations');
  return newest?.number ?? 0;
}
