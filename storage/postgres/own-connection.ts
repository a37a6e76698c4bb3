// One connection for work that takes the time that it needs: migrations, and whatever concerns all records at once.
import { Client } from 'pg';
import { AppError } from '../../shared-protocol/errors.js';
import type { Address } from './connection.js';
import { migrate } from './migrations.js';
import { databaseFailure, queryOn, type Query } from './query.js';

/** The name of such a connection at the server, where those of fronts have another. */
const APPLICATION = 'swarmd: records';
const NO_LIMITS = { statement_timeout: 0, idle_in_transaction_session_timeout: 0 };

/**
 * Runs on a schema that is up to date. `queryMs`: the longest that one query may take, for where nobody is there to end it; 0: any time.
 * @throws AppError `STORAGE_FAILED`, `STORAGE_TOO_NEW`; what `run` throws
 */
export async function onOwnConnection<Value>(
  { name, config }: Address,
  run: (query: Query) => Promise<Value>,
  queryMs = 0,
): Promise<Value> {
  const client = new Client({ ...config, ...NO_LIMITS, query_timeout: queryMs, application_name: APPLICATION });
  client.on('error', ignore);
  try {
    await client.connect();
    const query = queryOn(name, client);
    await checkSettings(name, query);
    await migrate(name, query);
    return await run(query);
  } catch (cause) {
    throw cause instanceof AppError ? cause : databaseFailure(name, cause);
  } finally {
    await client.end().catch(ignore);
  }
}

/** Refuses a database that would answer before a change is durable, or that has no place for every text. */
async function checkSettings(name: string, query: Query): Promise<void> {
  const [settings] = await query<Record<string, string>>(
    `SELECT current_setting('fsync') AS fsync, current_setting('synchronous_commit') AS synchronous_commit,
            current_setting('server_encoding') AS server_encoding`,
  );
  const faults = [
    settings?.['fsync'] === 'off' && 'fsync is off: changes would not be durable',
    settings?.['synchronous_commit'] === 'off' && 'synchronous_commit is off: changes would be answered too early',
    settings?.['server_encoding'] !== 'UTF8' && 'its encoding is not UTF8',
  ];
  const fault = faults.find((one) => one !== false);
  if (fault) throw new AppError('STORAGE_FAILED', `storage: ${name}: ${fault}`);
}

function ignore(): void {
  // The query that the connection had says it.
}
