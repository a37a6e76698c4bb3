// What is kept of a torrent's metadata while it rests. Pure.
import type { TorrentSummary } from '../../storage/types.js';
import { PIECE_HASH_BYTES, type TorrentInfo } from '../metainfo/index.js';

export function summaryOf(info: TorrentInfo, infoBytes: Uint8Array): TorrentSummary {
  const { totalBytes, contentBytes, pieceLength, pieceCount, isPrivate } = info;
  const summary = { totalBytes, pieceLength, pieceCount, isPrivate, metadataBytes: infoBytes.length };
  return contentBytes === totalBytes ? summary : { ...summary, contentBytes };
}

/** Of the info dictionary; what was stored without its length has at least its hashes. */
export function metadataBytesOf(summary: TorrentSummary | null): number {
  return summary ? (summary.metadataBytes ?? summary.pieceCount * PIECE_HASH_BYTES) : 0;
}

/** What people are told that the torrent holds. */
export function contentBytesOf(summary: TorrentSummary | null): number {
  return summary ? (summary.contentBytes ?? summary.totalBytes) : 0;
}
