// Writes the info dictionary of a torrent that is made here (BEP 3, BEP 27, BEP 47): keys in order, so that the same files
// with the same settings have the same info hash wherever and by whichever program it is made. The list of files is written
// as text: an encoder of any values takes ten times as long, and there may be tens of thousands.
import bencode from 'bencode';
import type { TorrentFile } from './types.js';

export interface InfoDictionaryParts {
  readonly name: string;
  /** One file without a folder around it. */
  readonly isSingleFile: boolean;
  /** In order; the torrent's name is the first element of each path. */
  readonly files: readonly TorrentFile[];
  readonly pieceLength: number;
  /** 20 bytes for each piece. */
  readonly pieces: Uint8Array;
  readonly isPrivate: boolean;
  /** Empty: none. */
  readonly source: string;
}

export function writeInfoDictionary(parts: InfoDictionaryParts): Uint8Array {
  const { name, isSingleFile, files, pieceLength, pieces, isPrivate, source } = parts;
  const content = isSingleFile
    ? `6:lengthi${files[0]?.sizeBytes ?? 0}e`
    : `5:filesl${files.map((file) => entryOf(file)).join('')}e`;
  return Buffer.concat([
    Buffer.from(`d${content}${text('name')}${text(name)}${text('piece length')}i${pieceLength}e${text('pieces')}`),
    bencode.encode(pieces),
    Buffer.from(isPrivate ? `${text('private')}i1e` : ''),
    Buffer.from(source === '' ? 'e' : `${text('source')}${text(source)}e`),
  ]);
}

function entryOf({ path, sizeBytes, isPad }: TorrentFile): string {
  const elements = path.slice(1).map((element) => text(element));
  return `d${isPad ? '4:attr1:p' : ''}6:lengthi${sizeBytes}e4:pathl${elements.join('')}ee`;
}

function text(value: string): string {
  return `${Buffer.byteLength(value)}:${value}`;
}
