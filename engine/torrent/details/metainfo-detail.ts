// A torrent file that has not been added, as people look at it: what an add would make of it, names on disk included. Pure.
import type { MetainfoDetail } from '../../../shared-protocol/commands/adding.js';
import type { NameRules } from '../../../shared-protocol/name-rules.js';
import { parseTorrentFile } from '../../metainfo/index.js';

/** @throws AppError `TORRENT_INVALID` */
export function metainfoDetail(bytes: Uint8Array, maxFiles: number, names: NameRules): MetainfoDetail {
  const { info, trackers } = parseTorrentFile(bytes, names);
  const files = info.files.filter(({ isPad }) => !isPad);
  return {
    id: info.infoHash,
    name: info.name,
    totalBytes: info.contentBytes,
    pieceLength: info.pieceLength,
    pieceCount: info.pieceCount,
    isPrivate: info.isPrivate,
    fileCount: files.length,
    files: files.slice(0, maxFiles).map(({ index, path, sizeBytes }) => ({ index, path: path.join('/'), sizeBytes })),
    trackerHosts: [...new Set(trackers.flat().map((url) => new URL(url).host))],
  };
}
