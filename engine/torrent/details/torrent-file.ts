// The torrent file of a torrent that is there, for one of its holders: with the trackers of that share, and the web seeds,
// the comment and who made it where the holder brought them. All may hold passkeys, which are no other account's to see.
import { AppError } from '../../../shared-protocol/errors.js';
import type { AccountId } from '../../../shared-protocol/ids.js';
import type { TorrentRow } from '../../../storage/types.js';
import { writeTorrentFile } from '../../metainfo/index.js';
import { holderOf, holdersOf, isHeldBySeveral, joinTiers, seedsBringerOf } from '../holders.js';
import { originFor } from './origin.js';
import type { TorrentServices } from '../session-interface.js';

/** @throws AppError `METADATA_UNKNOWN`, `TORRENT_NOT_FOUND` where `by` holds nothing of it */
export function torrentFileOf(
  { store }: Pick<TorrentServices, 'store'>,
  row: TorrentRow,
  by: AccountId | undefined,
): Uint8Array {
  const isWhole = by === undefined || !isHeldBySeveral(row, by);
  const trackers = isWhole ? joinTiers(holdersOf(row).map((holder) => holder.trackers)) : holderOf(row, by).trackers;
  const hasSeeds = isWhole || seedsBringerOf(row) === by;
  const infoBytes = store.infoBytes(row.id);
  if (!infoBytes) throw new AppError('METADATA_UNKNOWN', 'torrent: its metadata is not there yet', { id: row.id });
  const { webSeeds, httpSeeds = [] } = row;
  const { createdAt, ...texts } = originFor(row, by);
  return writeTorrentFile({
    infoBytes,
    trackers,
    ...texts,
    ...(createdAt > 0 && { createdAt }),
    webSeeds: hasSeeds ? webSeeds : [],
    httpSeeds: hasSeeds ? httpSeeds : [],
  });
}
