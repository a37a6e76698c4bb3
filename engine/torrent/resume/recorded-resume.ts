// The first record of progress of a torrent that comes from another program: what that program had recorded, all of it on trust.
// Pure. What the files on disk have to say to it comes when the torrent first looks at them (check/recorded-files.ts).
import { AppError } from '../../../shared-protocol/errors.js';
import type { RecordedBits, RecordedState } from '../../../shared-protocol/recorded-state.js';
import type { PartialPiece, ResumeRow } from '../../../storage/types.js';
import type { FilePriority } from '../../disk/types.js';
import type { TorrentInfo } from '../../metainfo/index.js';
import { Bitfield } from '../pieces/bitfield.js';
import { pieceLengthAt } from '../pieces/geometry.js';
import { measureProgress } from '../pieces/measure-progress.js';
import { buildResumeRow } from './resume-row.js';

const BLOCK_BYTES = 16 * 1024;
/** The most that are kept of a torrent (engine/README.md). */
const MAX_UNFINISHED = 1_024;

/** @throws AppError `TORRENT_INVALID` where it speaks of other pieces than the torrent has */
export function recordedResume(
  info: TorrentInfo,
  priorities: readonly FilePriority[],
  recorded: RecordedState,
  unixMs: number,
): ResumeRow {
  const { have, unfinished } = recorded.have === 'none' ? nothing(info) : piecesOf(info, recorded.have);
  const numbers = {
    ...measureProgress(info, priorities, have),
    uploadedBytes: recorded.uploadedBytes,
    downloadedBytes: recorded.downloadedBytes,
    lastActivityAt: recorded.lastActivityAt,
  };
  const partial = [...unfinished, ...recorded.unfinished].filter((piece) => isUnfinished(info, have, piece));
  const kept = { trusted: have.count > 0 ? have.bytes : null, recent: [], partial: partial.slice(0, MAX_UNFINISHED) };
  const { activeSeconds, seedingSeconds, fileTimes } = recorded;
  return {
    ...buildResumeRow(have.bytes, numbers, [], unixMs, kept),
    ...(activeSeconds > 0 && { activeSeconds }),
    ...(seedingSeconds > 0 && { seedingSeconds }),
    ...(fileTimes && { fileTimes }),
  };
}

interface Pieces {
  readonly have: Bitfield;
  readonly unfinished: readonly PartialPiece[];
}

function nothing(info: TorrentInfo): Pieces {
  return { have: new Bitfield(info.pieceCount), unfinished: [] };
}

function piecesOf(info: TorrentInfo, had: 'all' | RecordedBits): Pieces {
  if (had === 'all') {
    const have = new Bitfield(info.pieceCount);
    have.fill();
    return { have, unfinished: [] };
  }
  const expected = had.of === 'pieces' ? info.pieceCount : Math.ceil(info.totalBytes / BLOCK_BYTES);
  const isRight = had.bits.length === Math.ceil(expected / 8) && (had.count ?? expected) === expected;
  if (!isRight) {
    const told = had.count ?? had.bits.length * 8;
    throw new AppError('TORRENT_INVALID', `progress: it has ${told} ${had.of}, the torrent ${expected}`);
  }
  return had.of === 'pieces' ? { have: new Bitfield(expected, had.bits), unfinished: [] } : fromBlocks(info, had.bits);
}

/** Blocks are counted through the whole torrent; one may have bytes of two pieces where these are no multiples of it. */
function fromBlocks(info: TorrentInfo, bits: Uint8Array): Pieces {
  const blocks = new Bitfield(Math.ceil(info.totalBytes / BLOCK_BYTES), bits);
  const have = new Bitfield(info.pieceCount);
  const unfinished: PartialPiece[] = [];
  const isAligned = info.pieceLength % BLOCK_BYTES === 0;
  for (let piece = 0; piece < info.pieceCount; piece++) {
    const start = piece * info.pieceLength;
    const length = pieceLengthAt(info, piece);
    const first = Math.floor(start / BLOCK_BYTES);
    const end = Math.ceil((start + length) / BLOCK_BYTES);
    const count = blocks.countBetween(first, end);
    if (count === end - first) have.set(piece);
    else if (count > 0 && isAligned) {
      const own = new Bitfield(end - first);
      for (let block = first; block < end; block++) if (blocks.has(block)) own.set(block - first);
      unfinished.push({ piece, blocks: own.bytes });
    }
  }
  return { have, unfinished };
}

function isUnfinished(info: TorrentInfo, have: Bitfield, { piece, blocks }: PartialPiece): boolean {
  if (!Number.isSafeInteger(piece) || piece < 0 || piece >= info.pieceCount || have.has(piece)) return false;
  return blocks.length === Math.ceil(Math.ceil(pieceLengthAt(info, piece) / BLOCK_BYTES) / 8);
}
