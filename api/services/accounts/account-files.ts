// What is kept for an account in a collection of its own, so that none waits for what others write, and what is kept goes
// with the account.
import type { z } from 'zod';
import type { AccountId } from '../../../shared-protocol/ids.js';
import type { AccountStateName } from '../../../storage/data-directory.js';
import { firstShape } from '../../../storage/collection-shape.js';
import type { Collection, StateStore } from '../../../storage/types.js';
import { RequestError } from '../../errors.js';

export interface AccountFilesDeps {
  readonly store: StateStore;
  readonly isAccount: (id: number) => boolean;
}

export interface AccountFilesShape<Data> {
  readonly name: AccountStateName;
  readonly schema: z.ZodType<Data>;
  /** The data of an account of which nothing is kept. */
  readonly nothing: () => Data;
}

export class AccountFiles<Data> {
  readonly #followed = new Set<AccountId>();

  constructor(
    private readonly deps: AccountFilesDeps,
    private readonly shape: AccountFilesShape<Data>,
    /** Told that another front has changed what is kept of an account. */
    private readonly onChanged: (id: AccountId) => void = () => undefined,
  ) {}

  /** @throws AppError `STORAGE_FAILED` */
  async read(id: AccountId): Promise<Data> {
    return (await this.#open(id)).data;
  }

  /** Resolves when it is durable. @throws RequestError `UNAUTHORIZED` when the account has gone; AppError `STORAGE_FAILED` */
  async update(id: AccountId, change: (data: Data) => void): Promise<void> {
    const collection = await this.#open(id);
    await collection.update((data) => {
      if (!this.deps.isAccount(id)) throw new RequestError('UNAUTHORIZED');
      change(data);
    });
  }

  /** The account is gone; what it was about to write is refused from then on. */
  forgetAccount(id: AccountId): Promise<void> {
    return this.deps.store.remove(`${this.shape.name}/${id}`);
  }

  /** Removes what accounts left that went just before the last end of the process. */
  async sweep(): Promise<void> {
    const folder = `${this.shape.name}/`;
    const names = await this.deps.store.names(folder);
    const gone = names.filter((name) => !this.deps.isAccount(Number(name.slice(folder.length))));
    await Promise.all(gone.map((name) => this.deps.store.remove(name)));
  }

  async #open(id: AccountId): Promise<Collection<Data>> {
    const { name, schema, nothing } = this.shape;
    const collection = await this.deps.store.open(`${name}/${id}`, firstShape(schema, nothing()));
    if (!this.#followed.has(id)) {
      this.#followed.add(id);
      collection.onChanged(() => this.onChanged(id));
    }
    return collection;
  }
}
