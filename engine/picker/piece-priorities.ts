// From what people want of files to what the picker wants of pieces: a piece is as wanted as the most wanted file it
// touches. Pad files (BEP 47) are not on disk and want nothing. Where first and last pieces come first, the edges of each
// wanted file outrank everything: that is what a player reads before it begins.
import type { FilePriority } from '../disk/types.js';
import type { TorrentInfo } from '../metainfo/types.js';
import type { PiecePriority } from './types.js';

/** The most wanted first; the index is the priority class by which the picker sorts. */
export const PRIORITY_CLASSES: readonly PiecePriority[] = ['edge', 'max', 'high', 'normal', 'skip'];

export const EDGE_CLASS = PRIORITY_CLASSES.indexOf('edge');
export const SKIP_CLASS = PRIORITY_CLASSES.indexOf('skip');
export const NORMAL_CLASS = PRIORITY_CLASSES.indexOf('normal');

/** Part of a file (1 / this) that is an edge of it: indexes at its end grow with the film. As qBittorrent has it. */
const EDGE_DIVISOR = 100;

/** One priority for each piece. A file without an entry in `files` is `normal`. O(pieces + files). */
export function piecePrioritiesFromFiles(
  info: TorrentInfo,
  files: readonly FilePriority[],
  edgesFirst = false,
): PiecePriority[] {
  const classes = new Uint8Array(info.pieceCount).fill(SKIP_CLASS);
  for (const file of info.files) {
    if (file.isPad || file.sizeBytes === 0) continue;
    const wanted = PRIORITY_CLASSES.indexOf(files[file.index] ?? 'normal');
    const first = Math.floor(file.offset / info.pieceLength);
    const last = Math.floor((file.offset + file.sizeBytes - 1) / info.pieceLength);
    for (let piece = first; piece <= last; piece++) if (wanted < classes[piece]!) classes[piece] = wanted;
    if (!edgesFirst || wanted === SKIP_CLASS) continue;
    const edgeBytes = Math.ceil(file.sizeBytes / EDGE_DIVISOR);
    const lastOfHead = Math.floor((file.offset + edgeBytes - 1) / info.pieceLength);
    const firstOfTail = Math.floor((file.offset + file.sizeBytes - edgeBytes) / info.pieceLength);
    classes.fill(EDGE_CLASS, first, lastOfHead + 1);
    classes.fill(EDGE_CLASS, firstOfTail, last + 1);
  }
  return Array.from(classes, (priorityClass) => PRIORITY_CLASSES[priorityClass]!);
}
