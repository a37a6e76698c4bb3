// Gives a file another name in its folder, and takes nothing's place: by one more name and the removal of the first, or where
// a file system has no links by a rename that the kernel refuses when the name is taken (renameat2, which Node does not
// offer). After an end in between the file has both names.
import type { Stats } from 'node:fs';
import { link, lstat, unlink } from 'node:fs/promises';
import { AppError } from '../../shared-protocol/errors.js';
import { loadCLibrary } from '../../shared-protocol/c-library.js';
import { NO_LINK } from './constants.js';
import { errnoOf } from './errors.js';
import { isSame } from './file-names.js';
import type { FolderTree } from './open-beneath.js';

/** Linux: in place of a folder's descriptor, for paths that name theirs. */
const AT_FDCWD = -100;
const RENAME_NOREPLACE = 1;
const EEXIST = 17;

let calls: ReturnType<typeof loadCalls> | undefined;

/** False where something has the name already. `stats`: of the file that is meant. @throws system errors, `DISK_FAILED` */
export async function switchName(
  tree: FolderTree,
  from: readonly string[],
  to: readonly string[],
  stats: Stats,
): Promise<boolean> {
  const switched = await tree.within(from.slice(0, -1), false, async (folder) => {
    const [old, name] = [folder.entry(from.at(-1)!), folder.entry(to.at(-1)!)];
    try {
      await link(old, name);
    } catch (error) {
      const errno = errnoOf(error) ?? '';
      if (errno === 'EEXIST') return false;
      if (NO_LINK.has(errno) && isSame(await lstat(old), stats)) return renameUnlessTaken(old, name, error);
      throw error;
    }
    // What the name led to a moment ago may be another thing: what was made of that is taken away again.
    if (!isSame(await lstat(name), stats)) {
      await unlink(name);
      throw new AppError('DISK_FAILED', `${from.join('/')}: was changed by another program`, { path: from.join('/') });
    }
    await unlink(old);
    return true;
  });
  if (switched) tree.distrust(to);
  return switched;
}

function renameUnlessTaken(old: string, name: string, reason: unknown): boolean {
  calls ??= loadCalls();
  if (!calls) throw reason;
  const { rename, errno } = calls;
  if (rename(AT_FDCWD, old, AT_FDCWD, name, RENAME_NOREPLACE) === 0) return true;
  if (errno() === EEXIST) return false;
  throw reason;
}

/** null where the C library has no such function. */
function loadCalls() {
  const library = loadCLibrary();
  if (!library) return null;
  try {
    const rename = library.func('int renameat2(int oldfd, const char *old, int newfd, const char *name, uint flags)');
    return { rename, errno: () => library.errno() };
  } catch {
    return null;
  }
}
