// A PostgreSQL database that fronts share: the pool of connections, queries and transactions on it. Owns: what comes out of
// here is an AppError that names the database, and a commit that was not answered is told from one that failed.
import { randomUUID } from 'node:crypto';
import { Pool, type PoolClient } from 'pg';
import { systemClock } from '../../shared-protocol/clock.js';
import type { Patience } from './back-off.js';
import { ChangeListener } from './change-listener.js';
import { parseConnectionString, type Address } from './connection.js';
import type { ListeningOptions } from './listening-connection.js';
import { onOwnConnection } from './own-connection.js';
import { databaseFailure, queryOn, type Query } from './query.js';

/** Collections are changed one at a time each; what comes beside that waits for a connection. */
const MAX_CONNECTIONS = 8;

/** `unknown`: the connection was lost while the transaction committed. */
export interface Outcome<Value> {
  readonly kind: 'committed' | 'unknown';
  readonly value: Value;
}

export interface DatabaseOptions extends ListeningOptions, Patience {
  /** Milliseconds for which a change is waited for of which it is not known whether it was written. */
  readonly outcomeMs: number;
}

export const DEFAULT_DATABASE_OPTIONS: DatabaseOptions = {
  clock: systemClock,
  chance: Math.random,
  // A connection that died in silence is noticed within twice this.
  keepAliveMs: 5_000,
  // As long as callers of the API wait.
  outcomeMs: 30_000,
};

/** Connects and brings the schema up to date. @throws AppError `STORAGE_FAILED`, `STORAGE_TOO_NEW` */
export async function openDatabase(connectionString: string, options = DEFAULT_DATABASE_OPTIONS): Promise<Database> {
  const address = parseConnectionString(connectionString);
  await onOwnConnection(address, async () => undefined);
  const changes = new ChangeListener(address.config, options);
  await changes.open().catch((cause: unknown) => {
    throw databaseFailure(address.name, cause);
  });
  return new Database(address, changes, options);
}

export class Database {
  readonly name: string;
  /** The process among those that write. */
  readonly writer = randomUUID();
  readonly query: Query;
  readonly #pool: Pool;
  #isOpen = true;

  constructor(
    address: Address,
    readonly changes: ChangeListener,
    readonly options: DatabaseOptions,
  ) {
    this.name = address.name;
    this.#pool = new Pool({ ...address.config, max: MAX_CONNECTIONS });
    // A connection that is lost is told by the query that it had, or was in nobody's way.
    this.#pool.on('error', ignore).on('connect', (client) => void client.on('error', ignore));
    this.query = queryOn(this.name, this.#pool);
  }

  get isOpen(): boolean {
    return this.#isOpen;
  }

  /** Rolls back and throws what `run` throws. */
  async transaction<Value>(run: (query: Query) => Promise<Value>): Promise<Outcome<Value>> {
    const client = await this.#connection();
    const query = queryOn(this.name, client);
    let value: Value;
    try {
      await query('BEGIN ISOLATION LEVEL READ COMMITTED READ WRITE');
      value = await run(query);
    } catch (error) {
      void client.query('ROLLBACK').then(
        () => client.release(),
        () => client.release(true),
      );
      throw error;
    }
    const isCommitted = await client.query('COMMIT').then(
      () => true,
      () => false,
    );
    client.release(!isCommitted);
    return { kind: isCommitted ? 'committed' : 'unknown', value };
  }

  async close(): Promise<void> {
    if (!this.#isOpen) return;
    this.#isOpen = false;
    this.changes.close();
    await this.#pool.end();
  }

  async #connection(): Promise<PoolClient> {
    try {
      return await this.#pool.connect();
    } catch (cause) {
      throw databaseFailure(this.name, cause);
    }
  }
}

function ignore(): void {
  // Told elsewhere.
}
