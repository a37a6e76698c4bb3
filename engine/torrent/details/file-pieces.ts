// The pieces of a torrent's files, and how much of each file there is to be had. Pure.
import type { FilePiecesDetail } from '../../../shared-protocol/commands/details.js';
import type { FilesWanted } from '../../../shared-protocol/commands/inspection.js';
import type { PiecePicker } from '../../picker/index.js';
import type { FileList, ListedFile } from '../files/file-list-cache.js';
import type { Bitfield } from '../pieces/bitfield.js';

/** `picker`: null while it downloads nothing, when pieces of peers are not counted. */
export function filePieces(
  { files, pieceLength, pieceCount }: FileList,
  have: Bitfield,
  picker: Pick<PiecePicker, 'availability'> | null,
  { from, count }: Pick<FilesWanted, 'from' | 'count'> = { from: 0, count: Infinity },
): FilePiecesDetail {
  const listed = files.slice(from, from + count);
  const first = Uint32Array.from(listed, ({ offset }) => Math.min(pieceCount - 1, Math.floor(offset / pieceLength)));
  const last = Uint32Array.from(listed, (file, i) => lastPieceOf(file, pieceLength, first[i]!));
  const there = picker && countsOfThere(picker.availability(), have);
  const share = (i: number): number => (there![last[i]! + 1]! - there![first[i]!]!) / (last[i]! - first[i]! + 1);
  return { first, last, availability: there && Float64Array.from(listed, (_, i) => share(i)) };
}

export const NO_FILE_PIECES: FilePiecesDetail = {
  first: new Uint32Array(),
  last: new Uint32Array(),
  availability: null,
};

function lastPieceOf({ offset, sizeBytes }: ListedFile, pieceLength: number, first: number): number {
  return sizeBytes === 0 ? first : Math.floor((offset + sizeBytes - 1) / pieceLength);
}

/** By piece, how many of those before it are here or with a peer: of any range it is known at once. */
function countsOfThere(peers: ArrayLike<number>, have: Bitfield): Uint32Array {
  const counts = new Uint32Array(have.length + 1);
  for (let piece = 0; piece < have.length; piece++) {
    counts[piece + 1] = counts[piece]! + (peers[piece]! > 0 || have.has(piece) ? 1 : 0);
  }
  return counts;
}
