// A database while no front works with it. Owns: nobody changes a record or takes a lease from the moment at which no front was found
// to the end of the transaction.
import { AppError } from '../../shared-protocol/errors.js';
import type { Clock } from '../../shared-protocol/clock.js';
import type { Query } from '../postgres/query.js';

const TABLES = 'collections, collection_writers, leases, feed_polls, feed_counts, feed_items';
/** A front that has stopped is forgotten by the server a moment later. */
const LOOKS = 20;
const LOOK_EVERY_MS = 100;
/** A front that is starting has its rows locked for less. */
const LOCK_TIMEOUT = '5s';

/** Runs in a transaction; `name`: of the database, in messages. @throws AppError `STORAGE_LOCKED`; what `run` throws */
export async function withoutFronts<Value>(
  query: Query,
  name: string,
  clock: Pick<Clock, 'after'>,
  run: () => Promise<Value>,
): Promise<Value> {
  // Before anything is locked, so that a front that works is not held up.
  for (let look = 1; (await frontAt(query)) !== null && look < LOOKS; look++) {
    await new Promise<void>((resolve) => void clock.after(LOOK_EVERY_MS, resolve));
  }
  await refuseFront(query, name);
  await query('BEGIN ISOLATION LEVEL READ COMMITTED READ WRITE');
  await query(`SET LOCAL lock_timeout = '${LOCK_TIMEOUT}'`);
  await query(`LOCK TABLE ${TABLES} IN EXCLUSIVE MODE`);
  await refuseFront(query, name);
  const value = await run();
  await query('COMMIT');
  return value;
}

async function refuseFront(query: Query, name: string): Promise<void> {
  const front = await frontAt(query);
  if (front !== null) throw new AppError('STORAGE_LOCKED', `storage: ${name} is in use: ${front}`);
}

/** The trace of a front: a connection, or a lease that has not run out. null: there is none. */
async function frontAt(query: Query): Promise<string | null> {
  const [seen] = await query<{ connections: number; leases: string[] | null }>(
    `SELECT (SELECT count(*)::int FROM pg_stat_activity WHERE datname = current_database() AND application_name = 'swarmd')
              AS connections,
            (SELECT array_agg(name) FROM leases WHERE until > now()) AS leases`,
  );
  if (seen && seen.connections > 0) return 'a front is connected to it; stop all fronts';
  const [lease] = seen?.leases ?? [];
  return lease === undefined
    ? null
    : `the lease ${lease} has not run out; stop all fronts, and wait 15 s for one that was killed`;
}
