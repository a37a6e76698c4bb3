// The folders in a folder whose names begin as given. Bounded in what is read, and in how long anybody waits: a server
// that does not answer holds one of the few threads that all of this process shares, so there is one look at a time.
import type { Dirent } from 'node:fs';
import { opendir, realpath, stat } from 'node:fs/promises';
import { join } from 'node:path';

/** No spec value: more than a person reads through. */
export const MAX_FOLDERS = 100;
/** Measured: 10 ms on a local disk. */
const MAX_ENTRIES_READ = 10_000;
/** Each costs three looks at the disk. */
const MAX_LINKS_FOLLOWED = 100;
/** No spec value: a person waits no longer for a hint. */
const PATIENCE_MS = 2_000;
const READ_AT_ONCE = 512;

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
  folder: string,
  beginning: string,
  isShown: (path: string) => boolean,
): Promise<ListedFolders | null> {
  const wanted = beginning.toLowerCase();
  const names: string[] = [];
  let read = 0;
  let links = 0;
  try {
    for await (const entry of await opendir(folder, { bufferSize: READ_AT_ONCE })) {
      if (++read > MAX_ENTRIES_READ) break;
      if (!entry.name.toLowerCase().startsWith(wanted) || (entry.name.startsWith('.') && !beginning.startsWith('.')))
        continue;
      if (entry.isSymbolicLink() && ++links > MAX_LINKS_FOLLOWED) continue;
      const place = await placeOf(folder, entry);
      if (place !== null && isShown(place)) names.push(entry.name);
    }
  } catch {
    return null;
  }
  const isComplete = read <= MAX_ENTRIES_READ && links <= MAX_LINKS_FOLLOWED && names.length <= MAX_FOLDERS;
  return { names: names.sort(byName).slice(0, MAX_FOLDERS), isComplete };
}

/** Where the folder really is; null: it is none, or has a name that no text can hold. */
async function placeOf(folder: string, entry: Dirent): Promise<string | null> {
  if (entry.name.includes('\uFFFD')) return null;
  const path = join(folder, entry.name);
  if (entry.isDirectory()) return path;
  if (!entry.isSymbolicLink()) return null;
  try {
    const target = await realpath(path);
    return (await stat(target)).isDirectory() ? target : null;
  } catch {
    return null;
  }
}

function byName(a: string, b: string): number {
  return a < b ? -1 : 1;
}
