// The info dictionary of a torrent (BEP 3, 27, 47) and the policy for what is odd in it (docs/limits.md, "One policy
// where the references disagree on metainfo"). Reads it in one pass without building a tree; counts are compared before
// anything that grows with them is kept. Version 2 (BEP 52) is not spoken: hybrids are used as version 1.
import { createHash } from 'node:crypto';
import { AppError } from '../../shared-protocol/errors.js';
import { infoHashFromBytes, type InfoHash } from '../../shared-protocol/ids.js';
import { BencodeScanner, type BencodeScalar } from '../../shared-protocol/bencode-scanner.js';
import type { NameRules } from '../../shared-protocol/name-rules.js';
import { because } from '../../shared-protocol/reasons.js';
import { scanBencode, utf8 } from './bencode.js';
import {
  INFO_LIMITS,
  MAX_INFO_BYTES,
  MAX_FILE_BYTES,
  MAX_PIECE_COUNT,
  MAX_PIECE_LENGTH_BYTES,
  MIN_PIECE_LENGTH_BYTES,
  PIECE_HASH_BYTES,
} from './constants.js';
import { placeFiles, type ListedFile } from './file-list.js';
import { invalid, show, wholeNumber } from './fields.js';
import { isName, readFiles } from './info-files.js';
import { endsOf, safeElement } from './safe-path.js';
import type { TorrentInfo } from './types.js';

const INFO_KEYS = [
  'files',
  'length',
  'name',
  'name.utf-8',
  'piece length',
  'pieces',
  'private',
  'meta version',
  'file tree',
] as const;

type Field = BencodeScalar | null | undefined;

/** The info dictionary as it was read; undefined where a key is absent, null where it holds a list or dictionary. */
interface RawInfo {
  name?: Field;
  nameUtf8?: Field;
  pieceLength?: Field;
  pieces?: Field;
  length?: Field;
  isPrivate?: Field;
  metaVersion?: Field;
  files?: ListedFile[];
  hasFileTree?: boolean;
}

/**
 * @param infoBytes exactly the info dictionary; not kept
 * @param names by which it was added: other ones look for its files elsewhere
 * @throws AppError `TORRENT_INVALID`, its message names the field and the value
 */
export function parseInfoDictionary(infoBytes: Uint8Array, names: NameRules): TorrentInfo {
  if (infoBytes.length > MAX_INFO_BYTES) throw invalid('info', `${infoBytes.length} bytes, at most ${MAX_INFO_BYTES}`);
  const { end } = scanBencode(infoBytes, INFO_LIMITS);
  if (end !== infoBytes.length) throw invalid('info', `${infoBytes.length - end} bytes behind the dictionary`);
  const raw = readInfo(infoBytes, names);
  refuseVersion2Only(raw);

  const infoHash = infoHashFromBytes(createHash('sha1').update(infoBytes).digest());
  const pieceLength = wholeNumber('info.piece length', raw.pieceLength, 1, MAX_PIECE_LENGTH_BYTES);
  const { name, rawName } = readName(raw, infoHash, names);
  const totalBytes = raw.files ? endOf(raw.files.at(-1)) : wholeNumber('info.length', raw.length, 0, MAX_FILE_BYTES);
  if (totalBytes === 0) throw invalid('info', 'total size 0');
  const hashes = readPieceHashes(raw.pieces, totalBytes, pieceLength);
  if (raw.files) placeFiles(name, raw.files, names);
  return {
    infoHash,
    names,
    name,
    ...(rawName === undefined ? {} : { rawName }),
    pieceLength,
    pieceCount: hashes.length / PIECE_HASH_BYTES,
    totalBytes,
    contentBytes: raw.files?.reduce((sum, { isPad, sizeBytes }) => (isPad ? sum : sum + sizeBytes), 0) ?? totalBytes,
    // A copy, so that the whole dictionary is not held in memory for it.
    pieceHashes: new Uint8Array(hashes),
    files: raw.files ?? [{ index: 0, path: [name], sizeBytes: totalBytes, offset: 0, isPad: false }],
    isPrivate: isPrivate(raw.isPrivate),
  };
}

/** Torrents that come in must have no smaller pieces; those that are there already stay. @throws AppError `TORRENT_INVALID` */
export function refuseSmallPieces({ pieceLength, pieceCount }: TorrentInfo): void {
  if (pieceCount < 2 || pieceLength >= MIN_PIECE_LENGTH_BYTES) return;
  const least = `at least ${MIN_PIECE_LENGTH_BYTES} in a torrent of several pieces`;
  throw invalid('info.piece length', `${pieceLength}, expected ${least}`);
}

function readInfo(infoBytes: Uint8Array, names: NameRules): RawInfo {
  const scanner = new BencodeScanner(infoBytes, INFO_LIMITS);
  if (!scanner.enter('dictionary')) throw invalid('info', 'not a dictionary');
  const raw: RawInfo = {};
  while (scanner.hasNext()) {
    switch (scanner.key(INFO_KEYS)) {
      case 'name':
        raw.name = scanner.scalar();
        break;
      case 'name.utf-8':
        raw.nameUtf8 = scanner.scalar();
        break;
      case 'piece length':
        raw.pieceLength = scanner.scalar();
        break;
      case 'pieces':
        raw.pieces = scanner.scalar();
        break;
      case 'length':
        raw.length = scanner.scalar();
        break;
      case 'private':
        raw.isPrivate = scanner.scalar();
        break;
      case 'meta version':
        raw.metaVersion = scanner.scalar();
        break;
      case 'file tree':
        raw.hasFileTree = true;
        scanner.skip();
        break;
      case 'files':
        raw.files = readFiles(scanner, names);
        break;
      default:
        scanner.skip();
    }
  }
  return raw;
}

function refuseVersion2Only(raw: RawInfo): void {
  if (raw.pieces !== undefined) return;
  if (raw.hasFileTree || (raw.metaVersion !== undefined && raw.metaVersion !== 1)) {
    throw new AppError(
      'TORRENT_INVALID',
      'torrent: version 2 only (BEP 52), which is not supported; a hybrid or version 1 torrent of the same files is',
      because('TORRENT_VERSION_2'),
    );
  }
}

/** One name for everything but web seeds: what people see is what they find on disk. */
function readName(raw: RawInfo, infoHash: InfoHash, names: NameRules): { name: string; rawName?: string } {
  const bytes = raw.nameUtf8 instanceof Uint8Array ? raw.nameUtf8 : raw.name;
  if (!(bytes instanceof Uint8Array)) throw invalid('info.name', `${show(bytes)}, expected a string`);
  if (bytes.length === 0) return { name: infoHash };
  const ends = endsOf(bytes);
  const given = utf8(ends);
  const name = safeElement(ends, names);
  return given !== name && isName(given) ? { name, rawName: given } : { name };
}

function endOf(last: ListedFile | undefined): number {
  return last ? last.offset + last.sizeBytes : 0;
}

function readPieceHashes(pieces: Field, totalBytes: number, pieceLength: number): Uint8Array {
  if (!(pieces instanceof Uint8Array)) throw invalid('info.pieces', `${show(pieces)}, expected a string`);
  if (pieces.length % PIECE_HASH_BYTES !== 0)
    throw invalid('info.pieces', `${pieces.length} bytes, not a multiple of 20`);
  const needed = Math.ceil(totalBytes / pieceLength);
  if (needed > MAX_PIECE_COUNT) throw invalid('info.pieces', `${needed} pieces, at most ${MAX_PIECE_COUNT}`);
  const given = pieces.length / PIECE_HASH_BYTES;
  if (given !== needed) {
    throw invalid('info.pieces', `${given} hashes, but ${totalBytes} bytes in pieces of ${pieceLength} need ${needed}`);
  }
  return pieces;
}

/** BEP 27. In doubt private: a tracker's rule broken by accident costs the user the account. */
function isPrivate(value: Field): boolean {
  if (value instanceof Uint8Array) return utf8(value) === '1';
  return value !== undefined && value !== null && value !== 0;
}
