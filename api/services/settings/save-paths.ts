// Where torrents may be saved (semantics.md section 10). Owns the roots: --allowed-paths, else the global save path and
// those of the categories. Paths are judged by where they really lead: else a plain user who may add torrents could
// write into anybody's home. What lies outside the roots answers the same whether it exists or not.
import { isAbsolute, resolve } from 'node:path';
import { RequestError } from '../../errors.js';
import type { Account } from '../accounts/accounts.js';
import type { Labels } from '../library/labels.js';
import { isAtOrBelow, realLocation } from './real-location.js';
import type { Settings } from './settings.js';

/** semantics.md section 1. */
const MAX_PATH_BYTES = 4096;

export interface SavePathsDeps {
  readonly settings: Pick<Settings, 'savePath' | 'store'>;
  readonly labels: Pick<Labels, 'categories'>;
}

export interface SavePathsOptions {
  /** Absolute; none: not given, and administrators may save anywhere. */
  readonly allowedPaths: readonly string[];
}

type Saver = Pick<Account, 'role'>;

export class SavePaths {
  constructor(
    private readonly deps: SavePathsDeps,
    private readonly options: SavePathsOptions,
  ) {}

  /** In force now. Allowed wherever it is: it is the operator's choice. */
  get defaultPath(): string {
    return this.deps.settings.savePath;
  }

  /**
   * The absolute path that an add means: empty is the default, a relative one is below it.
   * @throws RequestError `PATH_UNUSABLE`, `FORBIDDEN`
   */
  async resolve(account: Saver, requested: string): Promise<string> {
    if (requested === '') return this.defaultPath;
    checkText(requested, 'save_path');
    const path = resolve(this.defaultPath, requested);
    await this.#check(account, path, 'save_path');
    return path;
  }

  /** The normal form of an absolute path that is to be stored as `field`; '' stays. @throws as {@link resolve} */
  async confine(account: Saver, requested: string, field: string): Promise<string> {
    if (requested === '') return '';
    checkText(requested, field);
    if (!isAbsolute(requested)) throw unusable(field, 'must be absolute');
    const path = resolve(requested);
    await this.#check(account, path, field);
    return path;
  }

  /** Moves no data. @throws as {@link resolve}; AppError `STORAGE_FAILED` */
  async setDefault(account: Saver, requested: string): Promise<void> {
    const path = await this.confine(account, requested, 'path');
    if (path === '') throw unusable('path', 'must not be empty');
    await this.deps.settings.store('save_path', path);
  }

  async #check({ role }: Saver, path: string, field: string): Promise<void> {
    const isAdmin = role === 'admin';
    const location = await realLocation(path);
    const isUnconfined = isAdmin && this.options.allowedPaths.length === 0;
    if (!isUnconfined && !(await this.#isInside(location.path))) {
      throw isAdmin ? unusable(field, 'outside the allowed paths') : new RequestError('FORBIDDEN');
    }
    if (location.kind === 'unusable') throw unusable(field, location.reason);
  }

  async #isInside(path: string): Promise<boolean> {
    for (const root of this.#roots()) {
      const location = await realLocation(root);
      if (location.kind === 'place' && isAtOrBelow(path, location.path)) return true;
    }
    return false;
  }

  #roots(): Iterable<string> {
    const { allowedPaths } = this.options;
    if (allowedPaths.length > 0) return allowedPaths;
    const ofCategories = this.deps.labels.categories.map(({ default_save_path }) => default_save_path);
    return new Set([this.defaultPath, ...ofCategories.filter((path) => path !== '')]);
  }
}

function checkText(path: string, field: string): void {
  if (path.includes('\0')) throw unusable(field, 'contains a NUL character');
  // As JSON, since it stands in lists: what has to be escaped counts with its escapes.
  const bytes = Buffer.byteLength(JSON.stringify(path)) - 2;
  if (bytes > MAX_PATH_BYTES) throw unusable(field, `longer than ${MAX_PATH_BYTES} bytes`);
}

function unusable(field: string, reason: string): RequestError {
  return new RequestError('PATH_UNUSABLE', `${field}: ${reason}`);
}
