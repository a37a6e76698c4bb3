// A collection that several fronts share: a row of PostgreSQL. Owns: changes of this process are one after another, and each
// is made on what all others have made before it; `data` shows what is committed, and never something older than before.
import { AppError } from '../../shared-protocol/errors.js';
import { readRecords, refuseNewer, type CollectionShape } from '../collection-shape.js';
import type { RemovableCollection } from '../types.js';
import { changeRow, placeOf, type RowChange } from './collection-changes.js';
import { CHANNELS } from './listening-connection.js';
import { addRow, readNewer, REMOVED, storedNames, toldOf, type CollectionRow } from './collection-rows.js';
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
): Promise<RemovableCollection<Data>> {
  await addRow(database.query, name);
  const collection = new PostgresCollection(database, name, options);
  await collection.open();
  return collection;
}

interface Shown<Data> {
  readonly revision: number;
  readonly data: Data;
}

class PostgresCollection<Data> implements RemovableCollection<Data> {
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
    this.#place = placeOf(database, name);
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
    return this.#next(() => this.#change((shown) => this.#changed(shown, change)));
  }

  remove(): Promise<void> {
    const removed = { value: this.options.defaults, written: REMOVED };
    return this.#next(async () => {
      const stored = await storedNames(this.database.query, this.name);
      if (stored.includes(this.name)) await this.#change(() => removed);
    });
  }

  onChanged(listener: () => void): void {
    this.#listeners.push(listener);
  }

  /** One look at a time waits for its turn: it sees whatever is there by then. */
  refresh(): Promise<void> {
    this.#looking ??= this.#next(async () => {
      this.#looking = null;
      await this.#look();
    });
    return this.#looking;
  }

  async #heard(payload: string | null): Promise<void> {
    const told = payload === null ? null : toldOf(payload);
    if (told && (told.name !== this.name || told.revision <= this.#shown.revision)) return;
    await this.refresh();
  }

  /** Own changes and looks at those of others are one after another, so that a look never finds an own one first. */
  #next<Value>(run: () => Promise<Value>): Promise<Value> {
    const done = this.#last.then(run);
    this.#last = done.catch(() => undefined);
    return done;
  }

  async #change(make: (shown: Shown<Data>) => RowChange<Data>): Promise<void> {
    const before = this.#shown;
    const { revision, value } = await changeRow(this.database, this.name, before.revision, (row) => {
      if (row.revision < before.revision) throw this.#goneBack(row.revision);
      return make(row.revision === before.revision ? before : this.#open(row));
    });
    this.#shown = { revision, data: value };
    if (revision > before.revision + 1) this.#tell();
  }

  #changed({ data: stored }: Shown<Data>, change: (data: Data) => void): RowChange<Data> {
    const draft = structuredClone(stored);
    change(draft);
    const data = this.options.validate(draft);
    return { value: data, written: { version: this.options.version, data: JSON.stringify(data) } };
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
    if (row.data === null) return { revision: row.revision, data: this.options.defaults };
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
