// The info dictionary of a magnet has come: understand it, store it durably, and open what it describes.
import type { TorrentRow } from '../../storage/types.js';
import { parseInfoDictionary } from '../metainfo/index.js';
import { contentFrom, prioritiesFromSelection, type Content } from './content.js';
import { hasAnyFile } from './files-found.js';
import type { TorrentServices } from './services.js';

export interface Arrival {
  readonly row: TorrentRow;
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
  const { name, totalBytes, pieceLength, pieceCount, isPrivate } = info;
  const filePriorities = prioritiesFromSelection(info, row.selectOnly);
  const change = { name, summary: { totalBytes, pieceLength, pieceCount, isPrivate }, filePriorities };
  await services.store.putInfoBytes(row.id, infoBytes);
  await services.store.update(row.id, change);
  const content = contentFrom(services, info, infoBytes, { ...row, ...change });
  return { row: { ...row, ...change }, content, filesFound: await hasAnyFile(content) };
}
