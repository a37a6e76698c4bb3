// The info dictionary of a magnet has come: understand it, store it durably, and open what it describes.
import type { TorrentRow } from '../../storage/types.js';
import { inFolder, topNameOf, type Reservation } from '../claims/index.js';
import { parseInfoDictionary, refuseSmallPieces, type TorrentInfo } from '../metainfo/index.js';
import { contentFrom, type Content } from './content.js';
import { changedPriorities, selectionChange } from './file-priorities.js';
import { hasAnyFile } from './files-found.js';
import type { TorrentServices } from './services.js';
import { summaryOf } from './summary.js';

export interface Arrival {
  /** What has been stored of it in the row. */
  readonly change: Partial<TorrentRow>;
  readonly content: Content;
  /** Files are there already and have to be verified first. */
  readonly filesFound: boolean;
  /** Holds its place until it claims that itself. */
  readonly reservation: Reservation;
}

/**
 * @throws AppError `TORRENT_INVALID` when the bytes hash right but describe nothing we accept; `SAVE_PATH_INVALID` where
 * it may not lie; storage errors
 */
export async function takeMetadata(
  services: TorrentServices,
  row: TorrentRow,
  infoBytes: Uint8Array,
): Promise<Arrival> {
  const listed = parseInfoDictionary(infoBytes);
  refuseSmallPieces(listed);
  const reservation = await services.claims.reserve(row, listed);
  try {
    return { ...(await store(services, row, infoBytes, listed, reservation)), reservation };
  } catch (error) {
    reservation.release();
    throw error;
  }
}

async function store(
  services: TorrentServices,
  row: TorrentRow,
  infoBytes: Uint8Array,
  listed: TorrentInfo,
  { folder }: Reservation,
): Promise<Omit<Arrival, 'reservation'>> {
  const place = folder === null ? {} : { folder };
  const info = inFolder(listed, folder ?? undefined);
  // What was said of a file by its index outweighs the ranges of the magnet.
  const wanted = { ...selectionChange(info, row.selectOnly), ...row.pendingPriorities };
  const filePriorities = changedPriorities(info.files, null, wanted);
  const summary = summaryOf(listed, infoBytes);
  const name = topNameOf(info);
  const change = { name, ...place, isClaimed: true as const, summary, filePriorities, pendingPriorities: null };
  await services.store.putInfoBytes(row.id, infoBytes);
  await services.store.update(row.id, change);
  const content = contentFrom(services, info, infoBytes, { ...row, ...change });
  return { change, content, filesFound: await hasAnyFile(content) };
}
