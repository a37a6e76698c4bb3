// From what people want of files to what the picker wants of pieces: a piece is as wanted as the most wanted file it
// touches. Pad files (BEP 47) are not on disk and want nothing.
import type { FilePriority } from '../disk/types.js';
import type { TorrentInfo } from '../metainfo/types.js';
import type { PiecePriority } from './types.js';

/** The most wanted first; the index is the priority class by which the picker sorts. */
export const PRIORITY_CLASSES: readonly PiecePriority[] = ['max', 'high', 'normal', 'skip'];

export const SKIP_CLASS = PRIORITY_CLASSES.indexOf('skip');
export const NORMAL_CLASS = PRIORITY_CLASSES.indexOf('normal');

/** One priority for each piece. A file without an entry in `files` is `normal`. O(pieces + files). */
export function piecePrioritiesFromFiles(info: TorrentInfo, files: readonly FilePriority[]): PiecePriority[] {
  const classes = new Uint8Array(info.pieceCount).fill(SKIP_CLASS);
  for (const file of info.files) {
    if (file.isPad || file.sizeBytes === 0) continue;
    const wanted = PRIORITY_CLASSES.indexOf(files[file.index] ?? 'normal');
    const first = Math.floor(file.offset / info.pieceLength);
    const last = Math.floor((file.offset + file.sizeBytes - 1) / info.pieceLength);
    for (let piece = first; piece <= last; piece++) if (wanted < classes[piece]!) classes[piece] = wanted;
  }
  return Array.from(classes, (priorityClass) => PRIORITY_CLASSES[priorityClass]!);
}
