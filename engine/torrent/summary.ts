// What is kept of a torrent's metadata while it rests. Pure.
import type { TorrentSummary } from '../../storage/types.js';
import { PIECE_HASH_BYTES, type TorrentInfo } from '../metainfo/index.js';

export function summaryOf(info: TorrentInfo, infoBytes: Uint8Array): TorrentSummary {
  const { totalBytes, contentBytes, pieceLength, pieceCount, isPrivate } = info;
  const summary = { totalBytes, pieceLength, pieceCount, isPrivate, metadataBytes: infoBytes.length };
  return contentBytes === totalBytes ? summary : { ...summary, contentBytes };
}

/** The length of the info dictionary; stored without one, at least that of its hashes. */
export function metadataBytesOf(summary: TorrentSummary | null): number {
  return summary ? (summary.metadataBytes ?? summary.pieceCount * PIECE_HASH_BYTES) : 0;
}

/** The torrent's size as people are shown it. */
export function contentBytesOf(summary: TorrentSummary | null): number {
  return summary ? (summary.contentBytes ?? summary.totalBytes) : 0;
}
