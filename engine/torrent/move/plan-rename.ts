// What is to become of a torrent's paths by a rename, and what has to be stored of that before anything is done on disk.
import type { RenameParams } from '../../../shared-protocol/commands/moves.js';
import { AppError } from '../../../shared-protocol/errors.js';
import type { PathsRow, TorrentChange, TorrentRow } from '../../../storage/types.js';
import {
  IncompleteNames,
  laidOut,
  maxPathListBytes,
  parseInfoDictionary,
  renamedPaths,
  writePathList,
  type TorrentInfo,
} from '../../metainfo/index.js';
import type { FoundToMove, KeepFile } from '../../disk/index.js';
import { rulesOf, storedPaths } from '../files/content.js';
import type { Bitfield } from '../pieces/bitfield.js';
import { verifiedBytesOf } from '../pieces/measure-progress.js';
import type { TorrentServices } from '../session-interface.js';

export interface RenamePlan extends Required<Pick<TorrentChange, 'pathLists'>> {
  /** The torrent as it lies, and as it is to lie. */
  readonly info: TorrentInfo;
  readonly infoThere: TorrentInfo;
  /** The suffix of incomplete files. */
  readonly suffix: string | undefined;
  readonly topNames: readonly string[];
  readonly paths: PathsRow;
}

/** null: nothing is to be changed. @throws AppError `METADATA_UNKNOWN`, `FILE_NOT_FOUND`, `RENAME_INVALID`, `MOVE_TARGET_TAKEN` */
export function planRename(
  services: Pick<TorrentServices, 'store'>,
  row: TorrentRow,
  { from, to }: Pick<RenameParams, 'from' | 'to'>,
): RenamePlan | null {
  const infoBytes = row.summary ? services.store.infoBytes(row.id) : undefined;
  if (!infoBytes) throw new AppError('METADATA_UNKNOWN', 'torrent: its metadata is not there yet', { id: row.id });
  const listed = parseInfoDictionary(infoBytes, rulesOf(row));
  const now = storedPaths(services, row);
  const renamed = renamedPaths(listed, now, { from, to }, row.incompleteSuffix);
  if (!renamed) return null;
  const { folder, own, topNames, info: infoThere } = renamed;
  const list = own.size > 0 ? writePathList(own) : null;
  if (list && list.length > maxPathListBytes(infoBytes)) {
    throw new AppError('RENAME_INVALID', 'to: the torrent has no room for more files with paths of their own');
  }
  const isItsName = topNames.length === 1 && topNames[0] === row.name;
  // Beside the present list, which goes with the old paths.
  const pathList = (row.pathList ?? 0) + 1;
  return {
    info: laidOut(listed, now),
    infoThere,
    suffix: row.incompleteSuffix,
    topNames,
    paths: { folder, topNames: isItsName ? undefined : topNames, pathList: list ? pathList : undefined },
    pathLists: new Map(list ? [[pathList, list]] : []),
  };
}

/**
 * Another torrent that lists the path would write what it downloads into the file.
 * @throws AppError `MOVE_TARGET_TAKEN`
 */
export function assertNobodysPath({ info, infoThere, suffix }: RenamePlan, isOfOthers: KeepFile): void {
  const { files } = infoThere;
  const renamed = files.filter(({ index, path }) => path.join('/') !== info.files[index]!.path.join('/'));
  for (const { path, isPad } of new IncompleteNames(files, suffix).withBoth(renamed)) {
    if (isPad || !isOfOthers(path)) continue;
    const shown = path.join('/');
    throw new AppError('MOVE_TARGET_TAKEN', `to: ${shown} is a file of another torrent`, { path: shown });
  }
}

/**
 * A file that has gone from where it was would be missed nowhere any more.
 * @throws AppError `FILES_MISSING`
 */
export function assertAllThere(
  info: TorrentInfo,
  have: Bitfield | null,
  priorities: TorrentRow['filePriorities'],
  { files: found }: FoundToMove,
): void {
  for (const { index, path, offset, sizeBytes, isPad } of info.files) {
    if (isPad || found.has(index) || priorities?.[index] === 'skip' || !have) continue;
    if (verifiedBytesOf(info, have, offset, sizeBytes) === 0) continue;
    throw new AppError('FILES_MISSING', `${path.join('/')}: is not there any more`, { path: path.join('/') });
  }
}
