// The info dictionary of a magnet has come: understand it, store it durably, and open what it describes.
import type { TorrentRow } from '../../storage/types.js';
import { parseInfoDictionary, refuseSmallPieces } from '../metainfo/index.js';
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
}

/** @throws AppError `TORRENT_INVALID` when the bytes hash right but describe nothing we accept; storage errors */
export async function takeMetadata(
  services: TorrentServices,
  row: TorrentRow,
  infoBytes: Uint8Array,
): Promise<Arrival> {
  const info = parseInfoDictionary(infoBytes);
  refuseSmallPieces(info);
  // What was said of a file by its index outweighs the ranges of the magnet.
  const wanted = { ...selectionChange(info, row.selectOnly), ...row.pendingPriorities };
  const filePriorities = changedPriorities(info.files, null, wanted);
  const change = { name: info.name, summary: summaryOf(info, infoBytes), filePriorities, pendingPriorities: null };
  await services.store.putInfoBytes(row.id, infoBytes);
  await services.store.update(row.id, change);
  const content = contentFrom(services, info, infoBytes, { ...row, ...change });
  return { change, content, filesFound: await hasAnyFile(content) };
}
