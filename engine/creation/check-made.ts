// Whether a torrent that is made of these files can be read again: by the reader that reads those of strangers, before
// anything is hashed. What would be refused, or have other names on disk, is said at once.
import { AppError } from '../../shared-protocol/errors.js';
import { MAX_TORRENT_BYTES, parseInfoDictionary, PIECE_HASH_BYTES, type TorrentInfo } from '../metainfo/index.js';
import type { TorrentFile } from '../metainfo/index.js';

/** Trackers, web seeds and texts around the info dictionary, at their largest. */
const MAX_AROUND_BYTES = 64 * 1024;

/** `infoBytes`: with hashes of nothing. @throws AppError `CREATE_REFUSED` */
export function readMade(infoBytes: Uint8Array): TorrentInfo {
  if (infoBytes.length + MAX_AROUND_BYTES > MAX_TORRENT_BYTES) {
    throw refused(`its torrent file would be larger than ${MAX_TORRENT_BYTES} bytes; longer pieces make it smaller`);
  }
  try {
    return parseInfoDictionary(infoBytes, 'posix');
  } catch (error) {
    if (error instanceof AppError && error.code === 'TORRENT_INVALID') throw refused(error.message);
    throw error;
  }
}

/** A folder with many pieces would be refused only after its hashes were put together. @throws AppError `CREATE_REFUSED` */
export function refuseTooManyPieces(pieceCount: number): void {
  if (pieceCount * PIECE_HASH_BYTES + MAX_AROUND_BYTES <= MAX_TORRENT_BYTES) return;
  throw refused(`${pieceCount} pieces are too many for a torrent file; choose longer ones`);
}

/** Throws where a name is made safe, so that the torrent would look for its files elsewhere. */
export function refuseOtherNames(files: readonly TorrentFile[], read: TorrentInfo): void {
  for (const { index, path, isPad } of files) {
    const there = read.files[index]?.path.join('/');
    const here = path.join('/');
    if (!isPad && there !== here)
      throw refused(`${here} would be ${there} in a torrent, so it cannot be seeded from there`);
  }
}

function refused(why: string): AppError {
  return new AppError('CREATE_REFUSED', `path: ${why}`);
}
