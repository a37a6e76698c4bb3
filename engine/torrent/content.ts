// A torrent's info dictionary and files while they are in use. Idle torrents have none: it is parsed from the store
// when a peer comes, and let go when the last one has left for a while.
import type { TorrentId } from '../../shared-protocol/ids.js';
import type { TorrentRow } from '../../storage/types.js';
import type { FilePriority, TorrentStorage } from '../disk/types.js';
import { parseInfoDictionary, type TorrentInfo } from '../metainfo/index.js';
import type { TorrentServices } from './services.js';

export interface Content {
  readonly info: TorrentInfo;
  readonly infoBytes: Uint8Array;
  readonly storage: TorrentStorage;
  readonly priorities: readonly FilePriority[];
}

/** null while the metadata is unknown. */
export function openContent(services: TorrentServices, id: TorrentId, row: TorrentRow): Content | null {
  const infoBytes = services.store.infoBytes(id);
  if (!infoBytes) return null;
  return contentFrom(services, parseInfoDictionary(infoBytes), infoBytes, row);
}

export function contentFrom(
  services: TorrentServices,
  info: TorrentInfo,
  infoBytes: Uint8Array,
  row: TorrentRow,
): Content {
  const priorities = row.filePriorities ?? info.files.map((): FilePriority => 'normal');
  const storage = services.disk.openTorrent({ info, savePath: row.savePath, priorities });
  return { info, infoBytes, storage, priorities };
}

/** BEP 53: files outside of the ranges are skipped; null when nothing is left out. */
export function prioritiesFromSelection(info: TorrentInfo, select: TorrentRow['selectOnly']): FilePriority[] | null {
  if (!select) return null;
  return info.files.map(({ index }) =>
    select.some(({ first, last }) => index >= first && index <= last) ? 'normal' : 'skip',
  );
}
