// A torrent's info dictionary and files while they are in use. Idle torrents have none: it is parsed from the store
// when a peer comes, and let go when the last one has left for a while.
import type { TorrentId } from '../../shared-protocol/ids.js';
import type { TorrentRow } from '../../storage/types.js';
import type { FilePriority, TorrentStorage } from '../disk/types.js';
import { parseInfoDictionary, type TorrentInfo } from '../metainfo/index.js';
import { prioritiesOf } from './file-priorities.js';
import type { TorrentServices } from './services.js';

export interface Content {
  readonly info: TorrentInfo;
  readonly infoBytes: Uint8Array;
  readonly storage: TorrentStorage;
  /** One for each file, as they are now. */
  priorities: readonly FilePriority[];
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
  const priorities = prioritiesOf(info, row.filePriorities);
  const storage = services.disk.openTorrent({ info, savePath: row.savePath, priorities });
  return { info, infoBytes, storage, priorities };
}
