// Leases that several fronts share: rows of PostgreSQL. Owns: whether a lease has run out is a matter of the database's clock
// alone, and a holder counts from before it has asked, so that it gives up no later than others may have it.
import { CHANNELS } from './listening-connection.js';
import type { Lease, Leases } from '../types.js';
import type { Database } from './database.js';

/** Listens until the database is closed. */
export function openPostgresLeases(database: Database): Leases {
  return new PostgresLeases(database);
}

class PostgresLeases implements Leases {
  readonly #listeners: (() => void)[] = [];

  constructor(private readonly database: Database) {
    database.changes.subscribe(CHANNELS.leases, async () => {
      for (const listener of this.#listeners) queueMicrotask(listener);
    });
  }

  claim(name: string, holder: string, ttlMs: number): Promise<Lease | null> {
    return this.#ask(
      ttlMs,
      `INSERT INTO leases AS held (name, holder, epoch, until) VALUES ($1, $2, 1, now() + $3 * interval '1 millisecond')
       ON CONFLICT (name) DO UPDATE
         SET holder = $2, until = excluded.until, epoch = held.epoch + CASE WHEN held.until > now() THEN 0 ELSE 1 END
         WHERE held.holder = $2 OR held.until <= now()
       RETURNING epoch::float8`,
      [name, holder, ttlMs],
    );
  }

  renew(name: string, holder: string, epoch: number, ttlMs: number): Promise<Lease | null> {
    return this.#ask(
      ttlMs,
      `UPDATE leases SET until = now() + $4 * interval '1 millisecond'
       WHERE name = $1 AND holder = $2 AND epoch = $3 AND until > now() RETURNING epoch::float8`,
      [name, holder, epoch, ttlMs],
    );
  }

  async release(name: string, holder: string, epoch: number): Promise<void> {
    await this.database.query(
      `WITH released AS (UPDATE leases SET until = '-infinity'
                         WHERE name = $1 AND holder = $2 AND epoch = $3 AND until > now() RETURNING name)
       SELECT pg_notify('${CHANNELS.leases}', name) FROM released`,
      [name, holder, epoch],
    );
  }

  onReleased(listener: () => void): void {
    this.#listeners.push(listener);
  }

  async #ask(ttlMs: number, text: string, values: readonly unknown[]): Promise<Lease | null> {
    const askedMs = this.database.options.clock.nowMs();
    const [row] = await this.database.query<{ epoch: number }>(text, values);
    return row ? { epoch: row.epoch, untilMs: askedMs + ttlMs } : null;
  }
}
