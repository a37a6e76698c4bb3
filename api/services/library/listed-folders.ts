// The folders in a folder whose names begin as given. Bounded in what is read, and in how long anybody waits: a server
// that does not answer holds one of the few threads that all of this process shares, so there is one look at a time.
import type { Folders } from '../../../shared-protocol/folders.js';

/** No spec value: more than a person reads through. */
export const MAX_FOLDERS = 100;
/** No spec value: a person waits no longer for a hint. */
const PATIENCE_MS = 2_000;

export interface ListedFolders {
  readonly names: readonly string[];
  readonly isComplete: boolean;
}

export class FolderLooks {
  #turn: Promise<unknown> = Promise.resolve();
  #isHeld = false;

  /** Resolves to what `look` finds; null: it takes too long, or the one before has not ended yet. */
  async within<Found>(look: () => Promise<Found | null>): Promise<Found | null> {
    if (this.#isHeld) return null;
    const looked = this.#turn.then(look);
    const ended = (this.#turn = looked.then(
      () => undefined,
      () => undefined,
    ));
    let timer: NodeJS.Timeout | undefined;
    const late = new Promise<'late'>((resolve) => (timer = setTimeout(() => resolve('late'), PATIENCE_MS)));
    const found = await Promise.race([looked, late]).finally(() => clearTimeout(timer));
    if (found !== 'late') return found;
    this.#isHeld = true;
    void ended.then(() => (this.#isHeld = false));
    return null;
  }
}

/**
 * In order; null: it cannot be read. `folder` is real, and so is what `isShown` is asked about: of a link where it leads.
 * Names that begin with a dot are left out unless the beginning does.
 */
export async function foldersIn(
  folders: Pick<Folders, 'list'>,
  { folder, beginning }: { readonly folder: string; readonly beginning: string },
  isShown: (path: string) => boolean,
): Promise<ListedFolders | null> {
  const { entries, isComplete } = await folders.list({ folder, beginning });
  if (!entries) return null;
  const shown = entries.filter(({ kind, realPath }) => kind === 'folder' && isShown(realPath));
  const names = shown.map(({ name }) => name).sort(byName);
  return { names: names.slice(0, MAX_FOLDERS), isComplete: isComplete && names.length <= MAX_FOLDERS };
}

function byName(a: string, b: string): number {
  return a < b ? -1 : 1;
}
