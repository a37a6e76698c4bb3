// The few facts of an info dictionary that a torrent at work does without: read when they are looked at, by a scan that keeps
// nothing else.
import { createHash } from 'node:crypto';
import { BencodeScanner } from '../../shared-protocol/bencode-scanner.js';
import { INFO_LIMITS } from './constants.js';
import { shortText } from './origin.js';

export interface InfoFacts {
  /** Empty: none. */
  readonly source: string;
  /** SHA-256 of a hybrid's info dictionary (BEP 52), 64 hexadecimal digits; null: it is of version 1 alone. */
  readonly infoHashV2: string | null;
}

const KEYS = ['source', 'meta version', 'file tree'] as const;

/** @throws AppError `TORRENT_INVALID` where it is no dictionary */
export function infoFactsOf(infoBytes: Uint8Array): InfoFacts {
  const scanner = new BencodeScanner(infoBytes, INFO_LIMITS);
  let source = '';
  let hasVersion = false;
  let hasTree = false;
  scanner.enter('dictionary');
  while (scanner.hasNext()) {
    const key = scanner.key(KEYS);
    if (key === 'source') source ||= shortText(scanner.scalar());
    else if (key === 'meta version') hasVersion ||= scanner.scalar() === 2;
    else {
      hasTree ||= key === 'file tree';
      scanner.skip();
    }
  }
  const isHybrid = hasVersion && hasTree;
  return { source, infoHashV2: isHybrid ? createHash('sha256').update(infoBytes).digest('hex') : null };
}
