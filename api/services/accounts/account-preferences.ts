// What the page keeps for an account. Each account has a file of its own, so that none waits for what others write, and
// the file goes with the account.
import { readdir, rm } from 'node:fs/promises';
import { basename, dirname, join } from 'node:path';
import { z } from 'zod';
import {
  MAX_PREFERENCES,
  MAX_PREFERENCES_BYTES,
  preferencesSchema,
  type PreferencesDto,
} from '../../../shared-protocol/dto/preferences.js';
import type { AccountId } from '../../../shared-protocol/ids.js';
import { isErrno } from '../../../storage/atomic-file.js';
import { openCollection } from '../../../storage/lowdb-collection.js';
import { makeFolders } from '../../../storage/make-folders.js';
import type { Collection } from '../../../storage/types.js';
import { RequestError } from '../../errors.js';

const DIRECTORY_MODE = 0o700;
const dataSchema = z.object({ entries: preferencesSchema });
type PreferencesData = z.infer<typeof dataSchema>;

export interface AccountPreferencesDeps {
  readonly directory: string;
  readonly isAccount: (id: number) => boolean;
  readonly onFallback: (file: string, reason: string) => void;
}

export class AccountPreferences {
  /** The collections of accounts that have asked since the start. */
  readonly #opened = new Map<AccountId, Promise<Collection<PreferencesData>>>();

  constructor(private readonly deps: AccountPreferencesDeps) {}

  /** @throws AppError `STORAGE_FAILED` */
  async of(id: AccountId): Promise<PreferencesDto> {
    return (await this.#open(id)).data.entries;
  }

  /**
   * Sets the entries that are named, removes those that are null, and resolves with all when they are durable.
   * @throws RequestError `QUOTA_EXCEEDED`; `UNAUTHORIZED` when the account has gone; AppError `STORAGE_FAILED`
   */
  async change(id: AccountId, changes: PreferencesDto): Promise<PreferencesDto> {
    const collection = await this.#open(id);
    if (isWithin(collection.data.entries, changes)) return collection.data.entries;
    await makeFolders(this.deps.directory, DIRECTORY_MODE);
    await collection.update((data) => {
      if (!this.deps.isAccount(id)) throw new RequestError('UNAUTHORIZED');
      const merged = Object.entries({ ...data.entries, ...changes }).filter(([, value]) => value !== null);
      data.entries = bounded(Object.fromEntries(merged));
    });
    return collection.data.entries;
  }

  /** The account is gone; what it was about to write is refused from then on. */
  async forgetAccount(id: AccountId): Promise<void> {
    const opened = this.#opened.get(id);
    this.#opened.delete(id);
    // After those that have begun: they would make the file anew.
    const settled = (await opened?.catch(() => null))?.update((data) => void (data.entries = {}));
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

  #open(id: AccountId): Promise<Collection<PreferencesData>> {
    const known = this.#opened.get(id);
    if (known) return known;
    const opening = openCollection<PreferencesData>(join(this.deps.directory, `${id}.json`), {
      version: 1,
      defaults: { entries: {} },
      migrate: (data) => data,
      validate: (data) => dataSchema.parse(data),
      onFallback: (file, reason) => this.deps.onFallback(join(basename(dirname(file)), basename(file)), reason),
    });
    this.#opened.set(id, opening);
    // Asked again, it may be read.
    opening.catch(() => this.#opened.delete(id));
    return opening;
  }
}

function isWithin(entries: PreferencesDto, changes: PreferencesDto): boolean {
  return Object.entries(changes).every(([name, value]) => {
    const now = Object.hasOwn(entries, name) ? entries[name] : null;
    return JSON.stringify(now) === JSON.stringify(value);
  });
}

/** @throws RequestError `QUOTA_EXCEEDED` */
function bounded(entries: Record<string, unknown>): Record<string, unknown> {
  if (Object.keys(entries).length > MAX_PREFERENCES) {
    throw new RequestError('QUOTA_EXCEEDED', `preferences: at most ${MAX_PREFERENCES} of an account`);
  }
  if (Buffer.byteLength(JSON.stringify(entries)) > MAX_PREFERENCES_BYTES) {
    throw new RequestError('QUOTA_EXCEEDED', `preferences: at most ${MAX_PREFERENCES_BYTES / 1024} KiB of an account`);
  }
  return entries;
}

async function namesIn(directory: string): Promise<string[]> {
  try {
    return await readdir(directory);
  } catch (error) {
    if (isErrno(error, 'ENOENT')) return [];
    throw error;
  }
}
