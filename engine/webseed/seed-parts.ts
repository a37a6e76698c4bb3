// What a web seed is asked for, part by part: ranges of files (BEP 19), or ranges of pieces, named in the query (BEP 17).
import type { TorrentInfo } from '../metainfo/index.js';
import { filePartsOf } from './file-parts.js';
import { fileUrl } from './file-url.js';
import type { ByteRange } from './types.js';

/** `files`: BEP 19, `url-list`; `pieces`: BEP 17, `httpseeds`. */
export type SeedForm = 'files' | 'pieces';

export interface SeedPart {
  /** Offset in the torrent behind its last byte. */
  readonly end: number;
  /** null: a pad file's, which is nowhere and holds zeroes (BEP 47). */
  readonly ask: { readonly url: URL; readonly range: ByteRange } | null;
}

/** Made one by one: a range may touch very many small files. `start` and `end` lie in the torrent. */
export function seedPartsOf(
  form: SeedForm,
  url: string,
  info: TorrentInfo,
  start: number,
  end: number,
): Generator<SeedPart> {
  return form === 'files' ? fileParts(url, info, start, end) : pieceParts(url, info, start, end);
}

function* fileParts(url: string, info: TorrentInfo, start: number, end: number): Generator<SeedPart> {
  for (const { file, start: from, end: to } of filePartsOf(info.files, start, end)) {
    const range = { first: from - file.offset, last: to - 1 - file.offset, fileBytes: file.sizeBytes };
    yield { end: to, ask: file.isPad ? null : { url: fileUrl(url, info, file), range } };
  }
}

function* pieceParts(url: string, info: TorrentInfo, start: number, end: number): Generator<SeedPart> {
  for (let from = start; from < end;) {
    const piece = Math.floor(from / info.pieceLength);
    const pieceStart = piece * info.pieceLength;
    const to = Math.min(end, pieceStart + info.pieceLength);
    const length = to - from;
    // The answer is as long as the range, and all of it is wanted.
    const range = { first: 0, last: length - 1, fileBytes: length };
    yield { end: to, ask: { url: pieceUrl(url, info, piece, from - pieceStart, to - 1 - pieceStart), range } };
    from = to;
  }
}

/** BEP 17: `info_hash` escaped as for trackers, both ends of the range included. */
function pieceUrl(url: string, { infoHash }: TorrentInfo, piece: number, first: number, last: number): URL {
  const result = new URL(url);
  result.hash = '';
  const before = result.search === '' ? '?' : `${result.search}&`;
  result.search = `${before}info_hash=${infoHash.replace(/../g, '%$&')}&piece=${piece}&ranges=${first}-${last}`;
  return result;
}
