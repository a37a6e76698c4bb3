// A torrent's files in a folder of another name: that of the metainfo was not free. A torrent of one file gets a folder.
import type { TorrentFile, TorrentInfo } from '../metainfo/types.js';

/** The first element of all its paths: its folder, or its one file. */
export function topNameOf({ files, infoHash }: TorrentInfo): string {
  return files[0]?.path[0] ?? infoHash;
}

export function inFolder(info: TorrentInfo, folder: string | undefined): TorrentInfo {
  return folder === undefined ? info : { ...info, files: info.files.map((file) => movedTo(file, folder)) };
}

function movedTo(file: TorrentFile, folder: string): TorrentFile {
  const below = file.path.slice(1);
  // Web seeds know the file by where the metainfo has it.
  return { ...file, path: [folder, ...(below.length > 0 ? below : file.path)], rawPath: file.rawPath ?? below };
}
