// What the tables of odd torrents are made of: a good single-file and a good multi-file info dictionary, to be spoilt
// in one place, and the shape of a row.
import type { NameRules } from '../../../../shared-protocol/name-rules.js';
import { rawBencode, type RawBencode } from '../../../support/raw-bencode.js';

export type Entries = Readonly<Record<string, RawBencode | undefined>>;

/** What the parser makes of a torrent that it accepts. */
export interface Accepted {
  /** Below the save path, pad files included. */
  readonly paths: readonly string[];
  /** For display. @default not looked at */
  readonly name?: string;
  readonly sizes?: readonly number[];
  readonly pads?: readonly boolean[];
  /** SHA-1 of the info dictionary, where it is worth writing down; it is checked against the bytes always. */
  readonly infoHash?: string;
}

export interface OddTorrent {
  readonly name: string;
  /** The rule of docs/limits.md: its number, or `policy` for "One policy where the references disagree". */
  readonly why: string;
  build(): Uint8Array;
  readonly rules?: NameRules;
  /** A pattern: refused with `TORRENT_INVALID` and such a message. */
  readonly outcome: RegExp | Accepted;
}

export const KIB = 1024;
export const MIB = 1024 * KIB;
export const HASH = Buffer.alloc(20, 7);

export const SINGLE: Entries = { length: 100, name: 'name.bin', 'piece length': 16_384, pieces: HASH };
export const MULTI: Entries = {
  files: [file(['a'], 60), file(['b'], 40)],
  name: 'folder',
  'piece length': 16_384,
  pieces: HASH,
};

export function file(path: RawBencode, length: RawBencode, more: Entries = {}): RawBencode {
  return dictionary({ length, path, ...more });
}

/** Keys in the order given; absent where undefined. */
export function dictionary(entries: Entries): RawBencode {
  const given = Object.entries(entries).filter((entry): entry is [string, RawBencode] => entry[1] !== undefined);
  return { pairs: given };
}

export function torrent(info: Entries | RawBencode, around: Entries = {}): Buffer {
  return rawBencode(dictionary({ ...around, info: isRaw(info) ? info : dictionary(info) }));
}

/** A good single-file torrent, but for these fields. */
export function single(change: Entries, around: Entries = {}): () => Uint8Array {
  return () => torrent({ ...SINGLE, ...change }, around);
}

/** A good multi-file torrent, but for these fields. */
export function multi(change: Entries): () => Uint8Array {
  return () => torrent({ ...MULTI, ...change });
}

/** One whose files, together of 100 bytes, are these. */
export function filed(...files: readonly RawBencode[]): () => Uint8Array {
  return multi({ files });
}

/** One with a single file of this path. */
export function pathed(...path: readonly RawBencode[]): () => Uint8Array {
  return filed(file(path, 100));
}

/** Written as it is. */
export function verbatim(text: string): RawBencode {
  return { verbatim: text };
}

function isRaw(info: Entries | RawBencode): info is RawBencode {
  return typeof info !== 'object' || Array.isArray(info) || 'pairs' in info || 'verbatim' in info;
}
