// The state of another program in what an archive was unpacked into: at its top, or below folders that hold one folder each, as archives
// of a folder with its path have them.
import { AppError } from '../../../../shared-protocol/errors.js';
import { reasonIn } from '../../../../shared-protocol/reasons.js';
import type { ForeignLibrary } from '../foreign-torrent.js';
import { notOpened, StateDirectory } from '../state-directory.js';

/** @throws AppError `IMPORT_UNREADABLE` */
export async function openState(
  path: string,
  open: (root: StateDirectory) => Promise<ForeignLibrary>,
): Promise<ForeignLibrary> {
  for (let root = await StateDirectory.open(path); ;) {
    try {
      return await open(root);
    } catch (error) {
      if (!(error instanceof AppError) || error.code !== 'IMPORT_UNREADABLE') throw error;
      const isElsewhere = reasonIn(error.data)?.code === 'IMPORT_NOTHING_THERE';
      const [only, ...others] = isElsewhere ? await root.folders() : [];
      const below = only !== undefined && others.length === 0 ? await root.firstOf([only]) : null;
      if (!below) throw notOpened(error.message.replace(/^path: /, 'archive: '), error.data);
      root = below;
    }
  }
}
