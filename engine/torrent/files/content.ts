// A torrent's info dictionary and files while they are in use. Idle torrents have none: it is parsed from the store
// when a peer comes, and let go when the last one has left for a while.
import type { TorrentId } from '../../../shared-protocol/ids.js';
import type { TorrentRow } from '../../../storage/types.js';
import { inFolder, topNameOf, type TorrentFiles } from '../../claims/index.js';
import type { FilePriority, TorrentStorage } from '../../disk/types.js';
import { parseInfoDictionary, type TorrentInfo } from '../../metainfo/index.js';
import { prioritiesOf } from './file-priorities.js';
import type { TorrentServices } from '../session-interface.js';

export interface Content {
  readonly info: TorrentInfo;
  readonly infoBytes: Uint8Array;
  readonly storage: TorrentStorage;
  /** Another one when the files have been moved. */
  ownership: TorrentFiles;
  /** One for each file, as they are now. */
  priorities: readonly FilePriority[];
}

/** null while the metadata is unknown. */
export function openContent(services: TorrentServices, id: TorrentId, row: TorrentRow): Content | null {
  const infoBytes = services.store.infoBytes(id);
  if (!infoBytes) return null;
  return contentFrom(services, inFolder(parseInfoDictionary(infoBytes), row.folder), infoBytes, row);
}

/** Without opening what is not open; null while the metadata is unknown. */
export function readInfo(
  { store }: Pick<TorrentServices, 'store'>,
  { id, folder }: Pick<TorrentRow, 'id' | 'folder'>,
  opened: Content | null,
): TorrentInfo | null {
  if (opened) return opened.info;
  const infoBytes = store.infoBytes(id);
  return infoBytes ? inFolder(parseInfoDictionary(infoBytes), folder) : null;
}

/** `info` has its paths as they are on disk. */
export function contentFrom(
  services: TorrentServices,
  info: TorrentInfo,
  infoBytes: Uint8Array,
  row: TorrentRow,
): Content {
  const priorities = prioritiesOf(info, row.filePriorities);
  const { id, ownerId, savePath, holders = null, preallocation = 'none' } = row;
  const place = { id, ownerId, isShared: holders !== null, savePath, topName: topNameOf(info) };
  const ownership = services.claims.filesOf(place, info.files.length, row.isClaimed ?? false);
  const storage = services.disk.openTorrent({ info, savePath, priorities, ownership, preallocation });
  return { info, infoBytes, storage, ownership, priorities };
}
