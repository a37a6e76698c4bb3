// The first commit of a move's journal, of one to another save path as of a rename: what is to come is looked at, then the
// row names both places.
import type { MoveRow, TorrentChange } from '../../../storage/types.js';
import type { TorrentInfo } from '../../metainfo/index.js';
import { volumeMissing } from '../error-state.js';
import type { TorrentProgress } from '../pieces/progress.js';
import type { TorrentRecord } from '../resume/torrent-record.js';
import type { TorrentServices } from '../session-interface.js';
import type { SwarmManager } from '../swarm/swarm-manager.js';
import type { OtherPlace } from './other-place.js';
import { assertAllThere } from './plan-rename.js';
import type { UnderWay } from './under-way.js';

/** How it goes on with what was asked for: it waits for its turn, or there is nothing to wait for. */
export type Begun = 'to-copy' | 'done';

export interface StoreBeginDeps {
  readonly services: Pick<TorrentServices, 'disk'>;
  readonly record: TorrentRecord;
  readonly progress: TorrentProgress;
  readonly swarmManager: Pick<SwarmManager, 'content' | 'releaseContent'>;
}

/** The place of the move, and how far it is. */
export interface MoveParts {
  readonly other: OtherPlace;
  readonly underWay: UnderWay;
}

/** The torrent as it lies and as it is to lie, and lists of paths that are stored with the journal. */
export interface ToStore extends Required<Pick<TorrentChange, 'pathLists'>> {
  readonly info: TorrentInfo;
  readonly infoThere: TorrentInfo;
}

/** @throws AppError `FILES_MISSING` where the volume is not there, or files that are to be renamed are not */
export async function storeBegin(
  { services, record, progress, swarmManager }: StoreBeginDeps,
  { other, underWay }: MoveParts,
  row: MoveRow,
  { info, infoThere, pathLists }: ToStore,
): Promise<Begun> {
  if (!(await services.disk.savePaths.isHere(row.to))) throw volumeMissing();
  try {
    other.know(row, infoThere);
    const found = await other.relocation(info, row, swarmManager.content()?.ownership).look();
    underWay.onFound(found.bytes);
    if (row.paths) assertAllThere(info, progress.have, record.row.filePriorities, found);
  } finally {
    swarmManager.releaseContent();
  }
  await record.change({ row: { move: row }, claims: new Map(), pathLists });
  return 'to-copy';
}
