// How a save path may go on while it is typed. Folders are listed for administrators where they may save, and for others
// in a home that is theirs alone: where several accounts save, names of folders are other accounts' torrents, and so such
// an account is offered the save paths that it knows: the default, those of categories and of its own torrents.
import { isAbsolute, join, resolve } from 'node:path';
import type { PathsDto } from '../../../shared-protocol/dto/paths.js';
import { PLACED_BY_FLEET } from '../../../shared-protocol/engine-choice.js';
import type { Folders } from '../../../shared-protocol/folders.js';
import { isAtOrBelow } from '../../../storage/real-location.js';
import type { Account } from '../../auth/account.js';
import type { Engines } from '../../engines/engines.js';
import { RequestError } from '../../errors.js';
import type { SavePaths } from '../settings/save-paths.js';
import type { DiskUsage } from './disk-usage.js';
import type { Library } from './library.js';
import { FolderLooks, foldersIn, MAX_FOLDERS } from './listed-folders.js';
import type { ShownLabels } from './shown-labels.js';

export interface PathCompletionDeps {
  readonly accounts: { readonly all: readonly Account[] };
  readonly diskUsage: Pick<DiskUsage, 'roomAt'>;
  readonly engines: Pick<Engines, 'foldersOf' | 'nameFor'>;
  readonly library: Pick<Library, 'visibleTo'>;
  readonly savePaths: Pick<SavePaths, 'boundsOf' | 'confine' | 'defaultOf' | 'givenRoots'>;
  readonly shownLabels: Pick<ShownLabels, 'categories'>;
}

/** Folders that are read for accounts. */
const LISTING = { slots: 2, slotsPerAccount: 1, waitingPerAccount: 2 };
/** Paths that are judged for them, which reads no folder and waits for none that is read. */
const JUDGING = { slots: 64, slotsPerAccount: 1, waitingPerAccount: 8 };

type Completed = Pick<PathsDto, 'paths' | 'complete'>;
/** Whether the account is shown a real path. */
type IsShown = (path: string) => boolean;

export class PathCompletion {
  readonly #looks = new FolderLooks(LISTING);
  readonly #judged = new FolderLooks(JUDGING);

  constructor(private readonly deps: PathCompletionDeps) {}

  async of(asking: Account, prefix: string): Promise<PathsDto> {
    const { engines, savePaths } = this.deps;
    const typed = prefix === '' || isAbsolute(prefix) ? prefix : join(savePaths.defaultOf(asking), prefix);
    const path = typed === '' ? savePaths.defaultOf(asking) : resolve(typed);
    const account = { ...asking, engine: engines.nameFor(asking.engine, path) };
    const folders = engines.foldersOf(account.engine);
    const looked = this.#looks.within(account.id, async () => {
      const isShown = await this.#listing(account);
      return {
        exists: isShown && (await this.#isFolder(folders, path, isShown)),
        listed: isShown && typed !== '' ? await this.#listed(folders, typed, isShown) : null,
      };
    });
    const judged = this.#judged.within(account.id, () => this.#isAllowed(account, path));
    const [found, isAllowed] = await Promise.all([looked, judged]);
    const allowed = isAllowed ?? false;
    const room = allowed ? await this.deps.diskUsage.roomAt(account, path) : null;
    return {
      ...(found?.listed ?? this.#known(account, typed)),
      allowed,
      exists: found?.exists ?? null,
      free_bytes: room?.freeBytes ?? null,
      total_bytes: room?.totalBytes ?? null,
    };
  }

  async #isAllowed(account: Account, path: string): Promise<boolean> {
    try {
      await this.deps.savePaths.confine(account, path, 'prefix');
      return true;
    } catch (error) {
      if (error instanceof RequestError) return false;
      throw error;
    }
  }

  /** Which folders are listed for the account; null: none. */
  async #listing(account: Account): Promise<IsShown | null> {
    const strangers = await this.#homesOfOthers(account);
    if (!strangers) return null;
    const isWithin = await this.deps.savePaths.boundsOf(account);
    return (path) => isWithin(path) && !strangers.some((home) => isAtOrBelow(path, home));
  }

  /** Where they really are; null: the account has no home, or not for itself. */
  async #homesOfOthers({ id, role, home = '', engine }: Account): Promise<readonly string[] | null> {
    if (role === 'admin') return [];
    if (home === '') return null;
    const { accounts, engines } = this.deps;
    const folders = engines.foldersOf(engine);
    const own = await folders.locate(home);
    if (own.kind === 'unusable') return null;
    const homes: string[] = [];
    for (const other of accounts.all) {
      if (other.id === id || other.role === 'admin' || !other.home) continue;
      if (other.engine !== PLACED_BY_FLEET && engines.nameFor(other.engine) !== engine) continue;
      const found = await folders.locate(other.home);
      // How far one gets towards another's is nobody's home.
      const path = found.kind === 'place' ? found.path : other.home;
      if (path === own.path) return null;
      // One around its own takes nothing away from it.
      if (isAtOrBelow(path, own.path)) homes.push(path);
    }
    return homes;
  }

  #known(account: Account, typed: string): Completed {
    const { library, savePaths, shownLabels } = this.deps;
    const known = new Set<string>([savePaths.defaultOf(account), ...savePaths.givenRoots(account)]);
    for (const { default_save_path } of shownLabels.categories(account)) known.add(default_save_path);
    for (const { ownerId, savePath } of library.visibleTo(account)) if (ownerId === account.id) known.add(savePath);
    const wanted = typed.toLowerCase();
    const isWanted = (path: string) => path !== '' && path !== typed && path.toLowerCase().startsWith(wanted);
    const paths = [...known].filter(isWanted);
    return { paths: paths.slice(0, MAX_FOLDERS), complete: paths.length <= MAX_FOLDERS };
  }

  /** null: the folder may not be looked into. */
  async #listed(folders: Folders, typed: string, isShown: IsShown): Promise<Completed | null> {
    const end = typed.lastIndexOf('/') + 1;
    const shownAs = resolve(typed.slice(0, end));
    const folder = await folders.locate(shownAs);
    if (folder.kind === 'unusable' || !isShown(folder.path)) return null;
    const found = await foldersIn(folders, { folder: folder.path, beginning: typed.slice(end) }, isShown);
    return found && { paths: found.names.map((name) => join(shownAs, name)), complete: found.isComplete };
  }

  async #isFolder(folders: Folders, path: string, isShown: IsShown): Promise<boolean> {
    const { kind, path: real } = await folders.locate(path);
    if (kind === 'unusable' || !isShown(real)) return false;
    return folders.isFolder(real);
  }
}
