// The folder whose torrent files are added: where it is, and whose they are. A folder that is in use is one that its account may
// save to; of one that is switched off nothing is asked, so that it can be switched off whatever has become of it.
// What lies there is added for account 1 where an administrator has set it, else for the account that has, with no more
// rights than it has at that moment.
import { stat } from 'node:fs/promises';
import type { WatchFolderDto } from '../../../shared-protocol/dto/settings.js';
import { ADMIN_ACCOUNT_ID, parseAccountId } from '../../../shared-protocol/ids.js';
import { because } from '../../../shared-protocol/reasons.js';
import { RequestError } from '../../errors.js';
import { hasPermission, type Account } from '../../auth/account.js';
import type { Accounts } from '../accounts/accounts.js';
import type { SavePaths } from '../settings/save-paths.js';
import type { Settings } from '../settings/settings.js';

/** Without these an account has nothing added. */
const PERMISSIONS = ['perm_add_torrents', 'perm_change_settings'] as const;

export interface WatchFolderDeps {
  readonly settings: Pick<Settings, 'stored' | 'store'>;
  readonly savePaths: Pick<SavePaths, 'confine' | 'boundsOf'>;
  readonly accounts: Pick<Accounts, 'find'>;
}

export class WatchFolder {
  #listener: () => void = () => undefined;

  constructor(private readonly deps: WatchFolderDeps) {}

  get stored(): WatchFolderDto {
    const { path, delete_after_add, enabled } = this.deps.settings.stored('watch_folder');
    return { path, delete_after_add, enabled };
  }

  /** The account that what lies there is added for; null: whoever has set it is gone, or may not do that any more. */
  get owner(): Account | null {
    const { set_by } = this.deps.settings.stored('watch_folder');
    const account = this.deps.accounts.find(parseAccountId(set_by));
    const mayAdd =
      account !== undefined && !account.disabled && PERMISSIONS.every((one) => hasPermission(account, one));
    return mayAdd ? account : null;
  }

  /** Tells of real paths whether the folder of that account may be there. */
  boundsOf(owner: Account): Promise<(path: string) => boolean> {
    return this.deps.savePaths.boundsOf(owner);
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
  async set(account: Pick<Account, 'id' | 'role'>, folder: WatchFolderDto): Promise<void> {
    const set_by = account.role === 'admin' ? ADMIN_ACCOUNT_ID : account.id;
    await this.deps.settings.store('watch_folder', { ...(await this.check(account, folder)), set_by });
    this.#listener();
  }

  /** The setting as it is to be stored. @throws RequestError `PATH_UNUSABLE`, `FORBIDDEN` */
  async check(account: Pick<Account, 'role'>, folder: WatchFolderDto): Promise<WatchFolderDto> {
    return folder.enabled ? { ...folder, path: await this.#usable(account, folder.path) } : folder;
  }

  async #usable(account: Pick<Account, 'role'>, requested: string): Promise<string> {
    const path = await this.deps.savePaths.confine(account, requested, 'path');
    if (path === '') throw new RequestError('PATH_UNUSABLE', 'path: must not be empty', because('VALUE_MISSING'));
    if (!(await isDirectory(path)))
      throw new RequestError('PATH_UNUSABLE', 'path: no such directory', because('FOLDER_NOT_FOUND'));
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
