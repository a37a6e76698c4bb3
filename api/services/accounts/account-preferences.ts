// What the page keeps for an account. The server knows its bounds, the page what is in it.
import { z } from 'zod';
import {
  MAX_PREFERENCES,
  MAX_PREFERENCES_BYTES,
  preferencesSchema,
  type PreferencesDto,
} from '../../../shared-protocol/dto/preferences.js';
import type { AccountId } from '../../../shared-protocol/ids.js';
import { RequestError } from '../../errors.js';
import { AccountFiles, type AccountFilesDeps } from './account-files.js';

const dataSchema = z.object({ entries: preferencesSchema });
type PreferencesData = z.infer<typeof dataSchema>;

export class AccountPreferences {
  readonly #files: AccountFiles<PreferencesData>;

  constructor(deps: AccountFilesDeps) {
    this.#files = new AccountFiles(deps, { name: 'preferences', schema: dataSchema, nothing: () => ({ entries: {} }) });
  }

  /** @throws AppError `STORAGE_FAILED` */
  async of(id: AccountId): Promise<PreferencesDto> {
    return (await this.#files.read(id)).entries;
  }

  /**
   * Sets the entries that are named, removes those that are null, and resolves with all when they are durable.
   * @throws RequestError `QUOTA_EXCEEDED`; `UNAUTHORIZED` when the account has gone; AppError `STORAGE_FAILED`
   */
  async change(id: AccountId, changes: PreferencesDto): Promise<PreferencesDto> {
    const entries = await this.of(id);
    if (isWithin(entries, changes)) return entries;
    let changed = entries;
    await this.#files.update(id, (data) => {
      const merged = Object.entries({ ...data.entries, ...changes }).filter(([, value]) => value !== null);
      changed = data.entries = bounded(Object.fromEntries(merged));
    });
    return changed;
  }

  /** The account is gone; what it was about to write is refused from then on. */
  forgetAccount(id: AccountId): Promise<void> {
    return this.#files.forgetAccount(id);
  }

  /** Removes what accounts left that went just before the last end of the process. */
  sweep(): Promise<void> {
    return this.#files.sweep();
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
  if (Object.keys(entries).length > MAX_PREFERENCES) throw tooMany();
  if (Buffer.byteLength(JSON.stringify(entries)) > MAX_PREFERENCES_BYTES) throw tooLarge();
  return entries;
}

export function tooMany(): RequestError {
  return new RequestError('QUOTA_EXCEEDED', `preferences: at most ${MAX_PREFERENCES} of an account`, {
    of: 'preferences',
    max: MAX_PREFERENCES,
  });
}

export function tooLarge(): RequestError {
  return new RequestError('QUOTA_EXCEEDED', `preferences: at most ${MAX_PREFERENCES_BYTES / 1024} KiB of an account`);
}
