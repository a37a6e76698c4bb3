// Where torrents may be saved (docs/semantics.md section 10). Owns the roots: an account's home, if it has one, else
// --allowed-paths, else the global save path and those of the categories. Paths are judged by where they really lead: else
// a plain user who may add torrents could write into any account's home. What lies outside the roots answers the same
// whether it exists or not. Neither in the data directory nor around it is anything saved, by any account: what writes
// there could make itself administrator. Nor is it where the archives of the state lie. A path that somebody chooses is
// tried, so that it is known at once where nothing can be made; one that was stored before is not, as its volume may be
// away for a while.
import { basename, dirname, isAbsolute, join, resolve } from 'node:path';
import { AppError, type ErrorData } from '../../../shared-protocol/errors.js';
import type { FolderTrial, Folders, RealLocation } from '../../../shared-protocol/folders.js';
import { because } from '../../../shared-protocol/reasons.js';
import { isAtOrBelow, realLocation } from '../../../storage/real-location.js';
import { RecentLooks } from '../../../storage/recent-looks.js';
import type { Engines } from '../../engines/engines.js';
import { RequestError } from '../../errors.js';
import type { Account } from '../../auth/account.js';
import type { Settings } from './settings.js';

const NEAR_DATA_DIRECTORY = 'contains or lies in the data directory';
const AMONG_BACKUPS = 'lies in the folder of the backups';
/** docs/semantics.md section 1. */
const MAX_PATH_BYTES = 4096;

/** Why the system lets nothing be made, in words. */
const REASONS: Readonly<Record<string, string>> = {
  EACCES: 'permission denied',
  EPERM: 'permission denied',
  EROFS: 'read-only file system',
  ENOENT: 'nothing can be created there',
  ENAMETOOLONG: 'a name in it is too long',
};

export interface SavePathsDeps {
  readonly settings: Pick<Settings, 'savePath' | 'store'>;
  /** The file systems that torrents are saved in. */
  readonly engines: SavingEngines;
  /** Save paths of categories are roots as well. */
  readonly labels: { readonly categories: readonly { readonly default_save_path: string }[] };
}

export interface SavePathsOptions {
  /** Absolute. An engine of its own process looks after its own as well. */
  readonly dataDir: string;
  /** Absolute. Archives of the state, which hold what the data directory holds. */
  readonly backupDir: string;
  /** Absolute; none: not given, and administrators may save anywhere. */
  readonly allowedPaths: readonly string[];
}

/** The engines that save: an account's paths are on the machine of its own. */
export interface SavingEngines extends Pick<Engines, 'nameFor' | 'savePathOf'> {
  foldersOf(name: string): Pick<Folders, 'locate' | 'tryOut'>;
}

/** `home`: all its paths lie there; '' for none. Administrators go where they like. */
export type Saver = Pick<Account, 'role'> & Partial<Pick<Account, 'home' | 'engine'>>;

/** Looks at one file system of a moment ago. */
interface Looks {
  /** Where the roots and the data directory lie, which the operator moves; what somebody names is looked at each time. */
  readonly roots: RecentLooks<RealLocation>;
  readonly trials: RecentLooks<FolderTrial>;
}

export class SavePaths {
  /** By engine. */
  readonly #looks = new Map<string, Looks>();

  constructor(
    private readonly deps: SavePathsDeps,
    private readonly options: SavePathsOptions,
  ) {}

  /** In force now. Allowed wherever it is: it is the operator's choice. */
  get defaultPath(): string {
    return this.deps.settings.savePath;
  }

  /** Where torrents of this account go that do not say. */
  defaultOf(account: Saver): string {
    return homeOf(account) || this.deps.engines.savePathOf(account.engine ?? '') || this.defaultPath;
  }

  /**
   * The absolute path that an add means: a relative one is below the account's default. Empty is what it inherits (its
   * category's, say; one outside of the account's home does not count), else that default.
   * @throws RequestError `PATH_UNUSABLE`, `FORBIDDEN`
   */
  async resolve(account: Saver, requested: string, inherited = '', field = 'save_path'): Promise<string> {
    const text = requested === '' ? await this.usable(account, inherited) : requested;
    if (text === '') return this.defaultOf(account);
    checkText(text, field);
    const path = resolve(this.defaultOf(account), text);
    await this.#check(this.#at(account, path), path, field);
    return path;
  }

  /** The normal form of an absolute path that is to be stored as `field`; '' stays. @throws as {@link resolve} */
  async confine(account: Saver, requested: string, field: string): Promise<string> {
    if (requested === '') return '';
    checkText(requested, field);
    if (!isAbsolute(requested))
      throw unusable(field, 'Enter an absolute path, e.g. /data/torrents.', because('PATH_NOT_ABSOLUTE'));
    const path = resolve(requested);
    await this.#check(this.#at(account, path), path, field);
    return path;
  }

  /** The path of {@link confine}, if something can be made there or it was stored `before`. @throws as {@link resolve} */
  async choose(account: Saver, requested: string, field: string, before = ''): Promise<string> {
    const path = await this.confine(account, requested, field);
    if (path !== '' && path !== before) await this.tryOut(account, path, field);
    return path;
  }

  /** Finds out whether files can be made at a path that was judged. @throws RequestError `PATH_UNUSABLE` */
  async tryOut(account: Pick<Saver, 'engine'>, path: string, field: string): Promise<void> {
    const trial = await this.#looksOf(this.#at(account, path)).trials.at(path);
    if (trial.kind === 'usable') return;
    const reason = REASONS[trial.code] ?? trial.code;
    const facts = { errno: trial.code };
    throw trial.exists
      ? unusable(field, `not writable (${reason})`, because('PATH_NOT_WRITABLE', facts))
      : unusable(field, `does not exist and cannot be made (${reason})`, because('PATH_NOT_CREATABLE', facts));
  }

  /**
   * A file or folder that the account names, as what it is saved in: `path` as it was named, and where it really lies. The
   * last element may be a link, and is not followed. @throws as {@link resolve}
   */
  async locate(account: Saver, requested: string, field: string): Promise<{ path: string; realPath: string }> {
    checkText(requested, field);
    const path = resolve(this.defaultOf(account), requested);
    const there = this.#at(account, path);
    const folder = await this.#locate(there, dirname(path));
    const location = { ...folder, path: join(folder.path, basename(path)) };
    await this.#judge(there, location, field);
    return { path, realPath: location.path };
  }

  /** Moves no data. @throws as {@link resolve}; AppError `STORAGE_FAILED` */
  async setDefault(account: Saver, requested: string): Promise<void> {
    const path = await this.choose(account, requested, 'path', this.deps.settings.savePath);
    if (path === '') throw unusable('path', 'must not be empty', because('VALUE_MISSING'));
    await this.deps.settings.store('save_path', path);
  }

  async #check(account: Saver, path: string, field: string): Promise<void> {
    await this.#judge(account, await this.#locate(account, path), field);
  }

  async #judge(account: Saver, location: RealLocation, field: string): Promise<void> {
    const isAdmin = account.role === 'admin';
    if (!this.#isUnconfined(account) && !(await this.#isInside(account, location.path, this.#rootsOf(account)))) {
      throw isAdmin
        ? unusable(field, 'outside the allowed paths', because('PATH_OUTSIDE'))
        : new RequestError('FORBIDDEN');
    }
    if (location.kind === 'unusable') {
      throw unusable(field, location.reason, location.isNoFolder ? because('PATH_NOT_A_FOLDER') : {});
    }
    if (touches(location.path, await this.#looksOf(account).roots.at(this.options.dataDir)))
      throw unusable(field, NEAR_DATA_DIRECTORY, because('PATH_OF_STATE'));
    if (isAtOrBelow(location.path, (await this.#looksOf(account).roots.at(this.options.backupDir)).path))
      throw unusable(field, AMONG_BACKUPS, because('PATH_OF_STATE'));
  }

  async #isInside(account: Saver, path: string, roots: Iterable<string>): Promise<boolean> {
    for (const root of roots) {
      const location = await this.#looksOf(account).roots.at(root);
      if (location.kind === 'place' && isAtOrBelow(path, location.path)) return true;
    }
    return false;
  }

  /** A path that was chosen for all accounts, where this one may use it; else ''. */
  async usable(saver: Saver, inherited: string): Promise<string> {
    if (inherited === '') return '';
    const account = this.#at(saver, inherited);
    const home = homeOf(account);
    const isElsewhere = this.deps.engines.savePathOf(account.engine ?? '') !== null;
    if (home === '' && !isElsewhere) return inherited;
    const { kind, path } = await this.#locate(account, inherited);
    // Chosen on another machine, it may be no place of this one.
    if (kind === 'unusable') return '';
    return home === '' || (await this.#isInside(account, path, [home])) ? inherited : '';
  }

  /** Roots that the operator gave this account, or all of them; none: what it may use follows from other settings. */
  givenRoots(account: Saver): readonly string[] {
    const home = homeOf(account);
    return home === '' ? this.options.allowedPaths : [home];
  }

  /** Tells of real paths whether they lie where the account may save. The data directory and the backups are none, what contains them is. */
  async boundsOf(account: Saver): Promise<(path: string) => boolean> {
    const isUnconfined = this.#isUnconfined(account);
    const roots = isUnconfined
      ? []
      : await Promise.all([...this.#rootsOf(account)].map((root) => this.#looksOf(account).roots.at(root)));
    const places = roots.filter(({ kind }) => kind === 'place');
    const { dataDir, backupDir } = this.options;
    const kept = await Promise.all([dataDir, backupDir].map((path) => this.#looksOf(account).roots.at(path)));
    return (path) =>
      (isUnconfined || places.some((root) => isAtOrBelow(path, root.path))) &&
      !kept.some((folder) => isAtOrBelow(path, folder.path));
  }

  #isUnconfined({ role }: Saver): boolean {
    return role === 'admin' && this.options.allowedPaths.length === 0;
  }

  #rootsOf(account: Saver): Iterable<string> {
    const given = this.givenRoots(account);
    if (given.length > 0) return given;
    const ofCategories = this.deps.labels.categories.map(({ default_save_path }) => default_save_path);
    const ownDefault = this.deps.engines.savePathOf(account.engine ?? '') ?? this.defaultPath;
    return new Set([ownDefault, ...ofCategories.filter((path) => path !== '')]);
  }

  /** The account on the engine that a path is judged by: each of its torrents may be on another one. */
  #at<Kept extends Pick<Saver, 'engine'>>(account: Kept, path: string): Kept {
    return { ...account, engine: this.deps.engines.nameFor(account.engine ?? '', path) };
  }

  #locate({ engine = '' }: Saver, path: string): Promise<RealLocation> {
    return this.deps.engines.foldersOf(engine).locate(path);
  }

  #looksOf({ engine = '' }: Pick<Saver, 'engine'>): Looks {
    const name = this.deps.engines.nameFor(engine);
    const folders = this.deps.engines.foldersOf(name);
    const looks = this.#looks.get(name) ?? {
      roots: new RecentLooks((path) => folders.locate(path), { isLasting: ({ kind }) => kind === 'place' }),
      trials: new RecentLooks((path) => folders.tryOut(path), { isLasting: ({ kind }) => kind === 'usable' }),
    };
    this.#looks.set(name, looks);
    return looks;
  }
}

/** @throws AppError `SAVE_PATH_INVALID`: the start is refused with it */
export async function assertApartFromState(
  savePath: string,
  { dataDir, backupDir }: Pick<SavePathsOptions, 'dataDir' | 'backupDir'>,
): Promise<void> {
  const { path } = await realLocation(savePath);
  const refuse = (reason: string) => {
    throw new AppError('SAVE_PATH_INVALID', `save path ${savePath}: ${reason}; choose another`);
  };
  if (touches(path, await realLocation(dataDir))) refuse(`${NEAR_DATA_DIRECTORY} ${dataDir}`);
  if (isAtOrBelow(path, (await realLocation(backupDir)).path)) refuse(`${AMONG_BACKUPS} ${backupDir}`);
}

/** Whether one contains the other. `path` is real. */
function touches(path: string, data: RealLocation): boolean {
  return isAtOrBelow(path, data.path) || isAtOrBelow(data.path, path);
}

function homeOf({ role, home = '' }: Saver): string {
  return role === 'admin' ? '' : home;
}

function checkText(path: string, field: string): void {
  if (path.includes('\0')) throw unusable(field, 'contains a NUL character');
  // As JSON, since it stands in lists: what has to be escaped counts with its escapes.
  const bytes = Buffer.byteLength(JSON.stringify(path)) - 2;
  if (bytes > MAX_PATH_BYTES) throw unusable(field, `longer than ${MAX_PATH_BYTES} bytes`);
}

function unusable(field: string, reason: string, data?: ErrorData): RequestError {
  return new RequestError('PATH_UNUSABLE', `${field}: ${reason}`, data);
}
