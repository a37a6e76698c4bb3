// Where a web seed keeps a file (BEP 19): below the URL for torrents of many files; for a torrent of one file, the URL
// itself unless it names a folder. Names are the author's, not those that are safe on our disk.
import type { TorrentFile, TorrentInfo } from '../metainfo/index.js';

/** `url` is http or https, its query is kept. */
export function fileUrl(url: string, info: TorrentInfo, file: TorrentFile): URL {
  const result = new URL(url);
  result.hash = '';
  const isFolder = result.pathname.endsWith('/');
  // The path of a file in a torrent of many begins with the torrent's folder.
  const isSingleFile = info.files.length === 1 && file.path.length === 1;
  if (isSingleFile && !isFolder) return result;
  const below = file.rawPath ?? file.path.slice(1);
  const elements = [info.rawName ?? info.name, ...below].map(encodeURIComponent);
  result.pathname = `${result.pathname}${isFolder ? '' : '/'}${elements.join('/')}`;
  return result;
}
