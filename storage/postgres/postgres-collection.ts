// A collection that several fronts share: a row of PostgreSQL. Owns: changes of this process are one after another, and each
// is made on what all others have made before it; `data` shows what is committed, and never something older than before.
import { AppError } from '../../shared-protocol/errors.js';
import { readRecords, refuseNewer, type CollectionShape } from '../collection-shape.js';
import type { Collection } from '../types.js';
import { pause } from './back-off.js';
import { CHANNELS } from './listening-connection.js';
import { addRow, lockRow, readNewer, toldOf, wasWritten, writeRow, type CollectionRow } from './collection-rows.js';
import type { Database } from './database.js';

export interface PostgresCollectionOptions<Data> extends CollectionShape<Data> {
  /** Told when what another front has written cannot be shown: the data stay as they were. */
  readonly onTrouble?: (error: AppError) => void;
}

/** Listens until the database is closed; one for each name in a process. @throws AppError `STORAGE_TOO_NEW`, `STORAGE_FAILED` */
export async function openPostgresCollection<Data>(
  database: Database,
  name: string,
  options: PostgresCollectionOptions<Data>,
): Promise<Collection<Data>> {
  await addRow(database.query, name);
  const collection = new PostgresCollection(database, name, options);
  await collection.open();
  return collection;
}

interface Shown<Data> {
  readonly revision: number;
  readonly data: Data;
}

class PostgresCollection<Data> implements Collection<Data> {
  readonly #listeners: (() => void)[] = [];
  readonly #place: string;
  #shown: Shown<Data>;
  #last: Promise<unknown> = Promise.resolve();
  #looking: Promise<void> | null = null;

  constructor(
    private readonly database: Database,
    private readonly name: string,
    private readonly options: PostgresCollectionOptions<Data>,
  ) {
    this.#place = `the collection ${name} of ${database.name}`;
    this.#shown = { revision: 0, data: options.defaults };
  }

  get data(): Data {
    return this.#shown.data;
  }

  async open(): Promise<void> {
    // What changes from here on is told of, so that nothing is missed between reading and listening.
    const unsubscribe = this.database.changes.subscribe(CHANNELS.collections, (payload) => this.#heard(payload));
    try {
      await this.#next(async () => {
        const row = await readNewer(this.database.query, this.name, this.#shown.revision);
        if (row) this.#shown = this.#open(row);
      });
    } catch (error) {
      unsubscribe();
      throw error;
    }
  }

  update(change: (data: Data) => void): Promise<void> {
    return this.#next(() => this.#apply(change));
  }

  onChanged(listener: () => void): void {
    this.#listeners.push(listener);
  }

  /** Own changes and looks at those of others are one after another, so that a look never finds an own one first. */
  #next<Value>(run: () => Promise<Value>): Promise<Value> {
    const done = this.#last.then(run);
    this.#last = done.catch(() => undefined);
    return done;
  }

  async #apply(change: (data: Data) => void): Promise<void> {
    const before = this.#shown;
    const { kind, value: after } = await this.database.transaction(async (query) => {
      const row = await lockRow(query, this.name, before.revision);
      if (row.revision < before.revision) throw this.#goneBack(row.revision);
      const draft = structuredClone(row.revision === before.revision ? before.data : this.#open(row).data);
      change(draft);
      const data = this.options.validate(draft);
      const revision = row.revision + 1;
      const written = { version: this.options.version, revision, data: JSON.stringify(data) };
      await writeRow(query, this.name, written, this.database.writer);
      return { revision, data };
    });
    if (kind === 'unknown' && !(await this.#isWritten(after.revision))) {
      throw new AppError(
        'STORAGE_FAILED',
        `storage: ${this.#place}: the connection was lost before a change was written`,
      );
    }
    this.#shown = after;
    if (after.revision > before.revision + 1) this.#tell();
  }

  async #isWritten(revision: number): Promise<boolean> {
    const { clock, outcomeMs } = this.database.options;
    const untilMs = clock.nowMs() + outcomeMs;
    for (let failures = 0; ; failures++) {
      try {
        return await wasWritten(this.database, this.name, revision);
      } catch (cause) {
        if (!this.database.isOpen || clock.nowMs() >= untilMs) {
          const message = `storage: ${this.#place}: the connection was lost, and whether a change was written is not known`;
          throw new AppError('STORAGE_FAILED', message, { outcome: 'unknown' }, { cause });
        }
      }
      await pause(this.database.options, failures);
    }
  }

  /** One look at a time waits for its turn: it sees whatever is there by then. */
  async #heard(payload: string | null): Promise<void> {
    const told = payload === null ? null : toldOf(payload);
    if (told && (told.name !== this.name || told.revision <= this.#shown.revision)) return;
    this.#looking ??= this.#next(async () => {
      this.#looking = null;
      await this.#look();
    });
    await this.#looking;
  }

  async #look(): Promise<void> {
    const row = await readNewer(this.database.query, this.name, this.#shown.revision);
    if (!row) return;
    try {
      this.#shown = this.#open(row);
    } catch (error) {
      // Another look would find the same: it needs another program, or another change.
      if (error instanceof AppError) this.options.onTrouble?.(error);
      return;
    }
    this.#tell();
  }

  #open(row: CollectionRow): Shown<Data> {
    if (row.revision === 0) return { revision: 0, data: this.options.defaults };
    refuseNewer(this.#place, row.version, this.options.version);
    try {
      return { revision: row.revision, data: readRecords(this.options, row) };
    } catch (cause) {
      const reason = cause instanceof Error ? cause.message : String(cause);
      throw new AppError('STORAGE_FAILED', `storage: ${this.#place} cannot be read: ${reason}`, undefined, { cause });
    }
  }

  #goneBack(revision: number): AppError {
    const message = `went back from revision ${this.#shown.revision} to ${revision}; this program has to be started anew`;
    return new AppError('STORAGE_FAILED', `storage: ${this.#place} ${message}`);
  }

  #tell(): void {
    for (const listener of this.#listeners) queueMicrotask(listener);
  }
}
