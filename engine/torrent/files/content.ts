// A torrent's info dictionary and files while they are in use. Idle torrents have none: it is parsed from the store
// when a peer comes, and let go when the last one has left for a while.
import type { TorrentId } from '../../../shared-protocol/ids.js';
import type { NameRules } from '../../../shared-protocol/name-rules.js';
import type { PathsRow, TorrentRow } from '../../../storage/types.js';
import type { TorrentFiles } from '../../claims/index.js';
import type { FilePriority, TorrentStorage } from '../../disk/types.js';
import {
  laidOut,
  parseInfoDictionary,
  readPathList,
  topNameOf,
  type DiskPaths,
  type TorrentInfo,
} from '../../metainfo/index.js';
import { prioritiesOf } from './file-priorities.js';
import type { TorrentServices } from '../session-interface.js';

export interface Content {
  /** With its paths as they are on disk; another one when files have been renamed. */
  info: TorrentInfo;
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
  const info = laidOut(parseInfoDictionary(infoBytes, rulesOf(row)), storedPaths(services, row));
  return contentFrom(services, info, infoBytes, row);
}

/** Where the torrent's files lie, as it is stored. */
export function storedPaths(
  { store }: Pick<TorrentServices, 'store'>,
  { id, folder, pathList }: StoredPlace,
): DiskPaths {
  const list = pathList === undefined ? undefined : store.pathList(id, pathList);
  return { folder, own: list && readPathList(list) };
}

/** The rules by which names of its author are on disk. */
export function rulesOf({ names }: Pick<TorrentRow, 'names'>): NameRules {
  return names ?? 'windows';
}

/** A torrent with the part of its row that says where its files lie. */
export type StoredPlace = Pick<TorrentRow, 'id' | 'names'> & PathsRow;

/** Without opening what is not open; null while the metadata is unknown. */
export function readInfo(
  services: Pick<TorrentServices, 'store'>,
  place: StoredPlace,
  opened: Content | null,
): TorrentInfo | null {
  if (opened) return opened.info;
  const infoBytes = services.store.infoBytes(place.id);
  return infoBytes ? laidOut(parseInfoDictionary(infoBytes, rulesOf(place)), storedPaths(services, place)) : null;
}

/** `info` has its paths as they are on disk. */
export function contentFrom(
  services: TorrentServices,
  info: TorrentInfo,
  infoBytes: Uint8Array,
  row: TorrentRow,
): Content {
  const priorities = prioritiesOf(info, row.filePriorities);
  const { id, ownerId, savePath, holders = null, topNames = [topNameOf(info)], preallocation = 'none' } = row;
  const { incompleteSuffix } = row;
  const place = { id, ownerId, isShared: holders !== null, savePath, topNames, incompleteSuffix };
  const ownership = services.claims.filesOf(place, info.files, row.isClaimed ?? false);
  const storage = services.disk.openTorrent({
    info,
    savePath,
    priorities,
    ownership,
    preallocation,
    incompleteSuffix,
  });
  return { info, infoBytes, storage, ownership, priorities };
}
