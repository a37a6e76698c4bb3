// Values out of records of other programs, each checked where it is taken: a field of another kind than it should be is as if it
// were not there.
import {
  asBytes,
  asInteger,
  asList,
  asText,
  decodeBencode,
  asDictionary,
  type BencodeDictionary,
  type BencodeValue,
} from '../../../shared-protocol/bencode-values.js';
import { AppError } from '../../../shared-protocol/errors.js';
import type { FilePriority } from '../../../shared-protocol/commands/details.js';
import { remark } from '../../../shared-protocol/import-remarks/remark.js';
import { unreadable } from './state-directory.js';

/** Far deeper than any program writes; a list of files may be long. */
const RECORD_LIMITS = { maxDepth: 32, maxTokens: 4_000_000 };
/** Tiers, and trackers of each, that are looked at. */
const MAX_TRACKERS = 1_000;

/** @throws AppError `IMPORT_UNREADABLE` names the file */
export function readRecord(bytes: Uint8Array, file: string): BencodeDictionary {
  try {
    const record = asDictionary(decodeBencode(bytes, RECORD_LIMITS));
    if (record) return record;
  } catch (error) {
    if (!(error instanceof AppError)) throw error;
    throw unreadable(remark('RECORD_BROKEN', { file, detail: error.message }));
  }
  throw unreadable(remark('NOT_A_RECORD', { file }));
}

/** A count from 0; 0 where there is none. */
export function countOf(value: BencodeValue | undefined): number {
  const count = asInteger(value);
  return count !== null && count > 0 && Number.isSafeInteger(count) ? count : 0;
}

export function textOf(value: BencodeValue | undefined): string {
  return asText(value) ?? '';
}

export function flagOf(value: BencodeValue | undefined): boolean {
  return countOf(value) > 0;
}

export function textsOf(value: BencodeValue | undefined): string[] {
  return (asList(value) ?? []).flatMap((item) => asText(item) ?? []);
}

/** Announce tiers (BEP 12); null: none are recorded. */
export function tiersOf(value: BencodeValue | undefined): string[][] | null {
  const tiers = asList(value);
  return tiers && tiers.slice(0, MAX_TRACKERS).map((tier) => textsOf(tier).slice(0, MAX_TRACKERS));
}

/** Priorities of libtorrent: 0 is skipped, 1 to 5 are usual, 6 is high, 7 the highest. */
export function libtorrentPriorities(value: BencodeValue | undefined): FilePriority[] | null {
  const list = asList(value);
  return list && list.map((item) => priorityOf(asInteger(item) ?? 4));
}

export function priorityOf(priority: number): FilePriority {
  if (priority <= 0) return 'skip';
  if (priority >= 7) return 'max';
  return priority === 6 ? 'high' : 'normal';
}

/** Bits of a string that has a byte for each piece, of which the lowest bit says whether it is there (libtorrent). */
export function bitsOfBytes(bytes: Uint8Array): Uint8Array {
  const bits = new Uint8Array(Math.ceil(bytes.length / 8));
  bytes.forEach((byte, index) => {
    if (byte & 1) bits[index >> 3]! |= 0x80 >> (index & 7);
  });
  return bits;
}

export { asBytes };
