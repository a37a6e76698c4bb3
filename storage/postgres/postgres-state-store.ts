// Collections that several fronts share, by name: rows of PostgreSQL. Owns: each has one instance in the process, and what is
// removed stays removed, as the row stays without its data: a revision that began anew would be taken for an old one.
import type { AppError } from '../../shared-protocol/errors.js';
import type { CollectionShape } from '../collection-shape.js';
import { OpenedCollections } from '../opened-collections.js';
import type { Collection, StateStore } from '../types.js';
import { changeRow } from './collection-changes.js';
import { storedNames, REMOVED } from './collection-rows.js';
import type { Database } from './database.js';
import { openPostgresCollection } from './postgres-collection.js';

export interface PostgresStateStoreOptions {
  /** Told when what another front has written cannot be shown: the data of that collection stay as they were. */
  readonly onTrouble?: (error: AppError) => void;
}

export class PostgresStateStore implements StateStore {
  readonly #opened = new OpenedCollections();

  constructor(
    private readonly database: Database,
    private readonly options: PostgresStateStoreOptions = {},
  ) {}

  open<Data>(name: string, shape: CollectionShape<Data>): Promise<Collection<Data>> {
    return this.#opened.open(name, () => openPostgresCollection(this.database, name, { ...shape, ...this.options }));
  }

  names(prefix: string): Promise<string[]> {
    return storedNames(this.database.query, prefix);
  }

  async remove(name: string): Promise<void> {
    const opened = await this.#opened.find(name);
    if (opened) return opened.remove();
    const stored = await storedNames(this.database.query, name);
    if (stored.includes(name)) await changeRow(this.database, name, 0, () => ({ value: null, written: REMOVED }));
  }
}
