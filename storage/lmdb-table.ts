// One sub-database with the writes that have been made and not committed yet laid over it, so that a read sees every
// write made before it although LMDB commits in batches. Owns: an entry of `#pending` lives until its commit.
import type { Database } from 'lmdb';

/** A change of one key; `undefined` removes it. */
export interface TableChange {
  /** Inside a write transaction only. */
  apply(): void;
  /** After the commit, whatever came of it. */
  settle(): void;
}

export class LmdbTable<Value> {
  readonly #pending = new Map<string, { readonly value: Value | undefined }>();

  /** `copyOut` detaches a value from buffers that the database uses again. */
  constructor(
    private readonly database: Database<Value, string>,
    private readonly copyOut: (value: Value) => Value,
  ) {}

  get(key: string): Value | undefined {
    const pending = this.#pending.get(key);
    const value = pending ? pending.value : this.database.get(key);
    return value === undefined ? undefined : this.copyOut(value);
  }

  *values(): Iterable<Value> {
    const pending = new Map(this.#pending);
    for (const { key, value } of this.database.getRange()) {
      if (!pending.has(key)) yield this.copyOut(value);
    }
    for (const { value } of pending.values()) if (value !== undefined) yield this.copyOut(value);
  }

  /** Keys that begin with the prefix, staged ones included. */
  keysFrom(prefix: string): string[] {
    const keys = new Set<string>();
    for (const key of this.database.getKeys({ start: prefix, end: `${prefix}\uffff` })) keys.add(key);
    for (const [key, { value }] of this.#pending) {
      if (!key.startsWith(prefix)) continue;
      if (value === undefined) keys.delete(key);
      else keys.add(key);
    }
    return [...keys];
  }

  /** Whether the key is in the database itself; inside a write transaction, as of this transaction. */
  isStored(key: string): boolean {
    return this.database.doesExist(key);
  }

  /** Reads see the change from now on; `apply` brings it into the database. */
  stage(key: string, value: Value | undefined): TableChange {
    const entry = { value };
    this.#pending.set(key, entry);
    return {
      apply: () => {
        if (value === undefined) this.database.removeSync(key);
        else this.database.putSync(key, value);
      },
      settle: () => {
        if (this.#pending.get(key) === entry) this.#pending.delete(key);
      },
    };
  }
}
