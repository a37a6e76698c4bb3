// What is kept for an account in a file of its own, so that none waits for what others write, and the file goes with the
// account.
import { readdir, rm } from 'node:fs/promises';
import { basename, dirname, join } from 'node:path';
import type { z } from 'zod';
import type { AccountId } from '../../../shared-protocol/ids.js';
import { isErrno } from '../../../storage/atomic-file.js';
import { openCollection } from '../../../storage/lowdb-collection.js';
import { makeFolders } from '../../../storage/make-folders.js';
import type { Collection } from '../../../storage/types.js';
import { RequestError } from '../../errors.js';

const DIRECTORY_MODE = 0o700;

export interface AccountFilesDeps {
  readonly directory: string;
  readonly isAccount: (id: number) => boolean;
  readonly onFallback: (file: string, reason: string) => void;
}

export interface AccountFilesShape<Data> {
  readonly schema: z.ZodType<Data>;
  /** The data of an account that has no file. */
  readonly nothing: () => Data;
}

export class AccountFiles<Data> {
  /** The collections of accounts that have asked since the start. */
  readonly #opened = new Map<AccountId, Promise<Collection<Data>>>();

  constructor(
    private readonly deps: AccountFilesDeps,
    private readonly shape: AccountFilesShape<Data>,
  ) {}

  /** @throws AppError `STORAGE_FAILED` */
  async read(id: AccountId): Promise<Data> {
    return (await this.#open(id)).data;
  }

  /** Resolves when it is durable. @throws RequestError `UNAUTHORIZED` when the account has gone; AppError `STORAGE_FAILED` */
  async update(id: AccountId, change: (data: Data) => void): Promise<void> {
    const collection = await this.#open(id);
    await makeFolders(this.deps.directory, DIRECTORY_MODE);
    await collection.update((data) => {
      if (!this.deps.isAccount(id)) throw new RequestError('UNAUTHORIZED');
      change(data);
    });
  }

  /** The account is gone; what it was about to write is refused from then on. */
  async forgetAccount(id: AccountId): Promise<void> {
    const opened = this.#opened.get(id);
    this.#opened.delete(id);
    // After those that have begun: they would make the file anew.
    const settled = (await opened?.catch(() => null))?.update(
      (data) => void Object.assign(data as object, this.shape.nothing()),
    );
    await settled?.catch(() => undefined);
    await this.#removeFiles((owner) => owner === String(id));
  }

  /** Removes what accounts left that went just before the last end of the process. */
  async sweep(): Promise<void> {
    await this.#removeFiles((owner) => !this.deps.isAccount(Number(owner)));
  }

  async #removeFiles(isGone: (owner: string) => boolean): Promise<void> {
    const { directory } = this.deps;
    const gone = (await namesIn(directory)).filter((name) => isGone(name.split('.', 1)[0] ?? ''));
    await Promise.all(gone.map((name) => rm(join(directory, name), { force: true })));
  }

  #open(id: AccountId): Promise<Collection<Data>> {
    const known = this.#opened.get(id);
    if (known) return known;
    const opening = openCollection<Data>(join(this.deps.directory, `${id}.json`), {
      version: 1,
      defaults: this.shape.nothing(),
      migrate: (data) => data,
      validate: (data) => this.shape.schema.parse(data),
      onFallback: (file, reason) => this.deps.onFallback(join(basename(dirname(file)), basename(file)), reason),
    });
    this.#opened.set(id, opening);
    // Asked again, it may be read.
    opening.catch(() => this.#opened.delete(id));
    return opening;
  }
}

async function namesIn(directory: string): Promise<string[]> {
  try {
    return await readdir(directory);
  } catch (error) {
    if (isErrno(error, 'ENOENT')) return [];
    throw error;
  }
}
