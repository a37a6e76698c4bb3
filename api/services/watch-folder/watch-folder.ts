// The folder whose torrent files are added: where it is. A folder that is in use is one that its account may save to;
// of one that is switched off nothing is asked, so that it can be switched off whatever has become of it.
import { stat } from 'node:fs/promises';
import type { WatchFolderDto } from '../../../shared-protocol/dto/settings.js';
import { RequestError } from '../../errors.js';
import type { Account } from '../../auth/account.js';
import type { SavePaths } from '../settings/save-paths.js';
import type { Settings } from '../settings/settings.js';

export interface WatchFolderDeps {
  readonly settings: Pick<Settings, 'stored' | 'store'>;
  readonly savePaths: Pick<SavePaths, 'confine'>;
}

export class WatchFolder {
  #listener: () => void = () => undefined;

  constructor(private readonly deps: WatchFolderDeps) {}

  get stored(): WatchFolderDto {
    return this.deps.settings.stored('watch_folder');
  }

  /** Sets the listener that is told after each change. There is one. */
  onChange(listener: () => void): void {
    this.#listener = listener;
  }

  /** Another front may have changed it. */
  follow(): void {
    this.#listener();
  }

  /** @throws RequestError `PATH_UNUSABLE`, `FORBIDDEN`; AppError `STORAGE_FAILED` */
  async set(account: Pick<Account, 'role'>, folder: WatchFolderDto): Promise<void> {
    await this.deps.settings.store('watch_folder', await this.check(account, folder));
    this.#listener();
  }

  /** The setting as it is to be stored. @throws RequestError `PATH_UNUSABLE`, `FORBIDDEN` */
  async check(account: Pick<Account, 'role'>, folder: WatchFolderDto): Promise<WatchFolderDto> {
    return folder.enabled ? { ...folder, path: await this.#usable(account, folder.path) } : folder;
  }

  async #usable(account: Pick<Account, 'role'>, requested: string): Promise<string> {
    const path = await this.deps.savePaths.confine(account, requested, 'path');
    if (path === '') throw new RequestError('PATH_UNUSABLE', 'path: must not be empty');
    if (!(await isDirectory(path))) throw new RequestError('PATH_UNUSABLE', 'path: no such directory');
    return path;
  }
}

async function isDirectory(path: string): Promise<boolean> {
  try {
    return (await stat(path)).isDirectory();
  } catch {
    return false;
  }
}
