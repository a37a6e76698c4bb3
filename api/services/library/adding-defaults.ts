// How torrents begin that do not say: as it is stored, unless the command line has decided for this run.
import type { AddingDefaultsBody, AddingDefaultsDto } from '../../../shared-protocol/dto/settings.js';
import type { Account } from '../../auth/account.js';
import type { SavePaths } from '../settings/save-paths.js';
import type { Settings } from '../settings/settings.js';

export interface AddingDefaultsDeps {
  readonly savePaths: Pick<SavePaths, 'choose'>;
  readonly settings: Pick<Settings, 'adding' | 'stored' | 'store'>;
}

export class AddingDefaults {
  constructor(private readonly deps: AddingDefaultsDeps) {}

  get inForce(): AddingDefaultsDto {
    return this.deps.settings.adding;
  }

  /** Fields that are left out stay. @throws RequestError `FORBIDDEN`, `PATH_UNUSABLE`; AppError `STORAGE_FAILED` */
  async change(account: Account, changed: AddingDefaultsBody): Promise<void> {
    const { savePaths, settings } = this.deps;
    const stored = settings.stored('adding');
    const { incomplete_path: path, incomplete_suffix: suffix = stored.incomplete_suffix } = changed;
    const confined =
      path === undefined
        ? stored.incomplete_path
        : await savePaths.choose(account, path, 'incomplete_path', stored.incomplete_path);
    await settings.store('adding', {
      content_layout: changed.content_layout ?? stored.content_layout,
      incomplete_path: confined,
      incomplete_suffix: suffix === '' ? null : suffix,
      preallocation: changed.preallocation ?? stored.preallocation,
      paused: changed.paused ?? stored.paused,
      portable_names: changed.portable_names ?? stored.portable_names,
      excluded_file_names: [...new Set(changed.excluded_file_names ?? stored.excluded_file_names)],
    });
  }
}
