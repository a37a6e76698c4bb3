// A torrent's files get their own names when they are complete, and those of incomplete ones when they are not any more.
// Nobody opens one of them meanwhile; those that are open are the same under any name.
import type { Stats } from 'node:fs';
import type { AppError } from '../../shared-protocol/errors.js';
import type { TorrentFile, TorrentInfo } from '../metainfo/types.js';
import { diskError } from './errors.js';
import type { FileNames } from './file-names.js';
import type { FolderTree } from './open-beneath.js';
import type { PayloadFiles } from './payload-files.js';
import { switchName } from './switch-name.js';
import { syncFolders } from './sync-folders.js';
import type { SwitchedNames } from './types.js';

export interface GiveNamesDeps {
  readonly info: Pick<TorrentInfo, 'files'>;
  readonly tree: FolderTree;
  readonly names: FileNames;
  readonly own: Pick<PayloadFiles, 'syncFile'>;
}

interface NameSwitch {
  readonly from: readonly string[];
  readonly to: readonly string[];
  readonly stats: Stats;
}

export function giveOwnNames(deps: GiveNamesDeps, indexes: readonly number[]): Promise<SwitchedNames> {
  return switchNames(deps, indexes, async (file) => {
    const found = await deps.names.find(file);
    if (!found?.isIncomplete) return null;
    // By its own name it is taken for whole.
    await deps.own.syncFile(file);
    return { from: found.path, to: file.path, stats: found.stats };
  });
}

export function giveIncompleteNames(deps: GiveNamesDeps, indexes: readonly number[]): Promise<SwitchedNames> {
  return switchNames(deps, indexes, async (file) => {
    const found = await deps.names.find(file);
    const to = deps.names.incompletePath(file);
    return to && found && !found.isIncomplete ? { from: file.path, to, stats: found.stats } : null;
  });
}

/** Goes through all before it throws. */
async function switchNames(
  { info, tree }: GiveNamesDeps,
  indexes: readonly number[],
  wanted: (file: TorrentFile) => Promise<NameSwitch | null>,
): Promise<SwitchedNames> {
  let [switched, taken, failure]: [number, readonly string[] | null, AppError | null] = [0, null, null];
  for (const index of indexes) {
    const file = info.files[index]!;
    try {
      const change = await wanted(file);
      if (!change) continue;
      if (await switchName(tree, change.from, change.to, change.stats)) switched++;
      else taken ??= change.to;
    } catch (error) {
      failure ??= diskError(error, file.path);
    }
  }
  await syncFolders(tree.takeCreated());
  if (failure) throw failure as AppError;
  return { switched, taken };
}
