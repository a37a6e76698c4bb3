// The resume data of libtorrent, which qBittorrent and Deluge keep: progress by piece, figures, dates, renamed files.
import {
  asBytes,
  asDictionary,
  asInteger,
  asList,
  asText,
  type BencodeDictionary,
} from '../../../shared-protocol/bencode-values.js';
import { remark } from '../../../shared-protocol/import-remarks/remark.js';
import type { RecordedState } from '../../../shared-protocol/recorded-state.js';
import { bitsOfBytes, countOf, flagOf, libtorrentPriorities, textOf, tiersOf } from './record-values.js';
import { NOTHING_RECORDED } from './foreign-torrent.js';
import { unreadable } from './state-directory.js';

/** Unfinished pieces that are looked at; fewer are kept. */
const MAX_UNFINISHED = 4_096;

export interface LibtorrentResume {
  readonly state: RecordedState;
  /** Where its files lie. */
  readonly savePath: string;
  /** The suffix that was found at names of files; empty: none. */
  readonly suffix: string;
  readonly sequential: boolean;
  /** Bytes per second; 0: none. */
  readonly rateLimits: { readonly downBytesPerSec: number; readonly upBytesPerSec: number };
  readonly isPaused: boolean;
  readonly isAutoManaged: boolean;
  /** The magnet of a torrent without metadata; null where its hash is not recorded. */
  readonly magnet: string | null;
}

/** `suffix`: that this program gives names of incomplete files. @throws AppError `IMPORT_UNREADABLE` */
export function readLibtorrentResume(record: BencodeDictionary, suffix: string): LibtorrentResume {
  const { paths, suffixFound } = pathsOf(record, suffix);
  return {
    state: {
      ...NOTHING_RECORDED,
      have: haveOf(record),
      unfinished: unfinishedOf(record),
      filePriorities: libtorrentPriorities(record.get('file_priority')),
      paths,
      trackers: tiersOf(record.get('trackers')),
      uploadedBytes: countOf(record.get('total_uploaded')),
      downloadedBytes: countOf(record.get('total_downloaded')),
      activeSeconds: countOf(record.get('active_time')),
      seedingSeconds: countOf(record.get('seeding_time')),
      addedAt: countOf(record.get('added_time')),
      completedAt: countOf(record.get('completed_time')),
      lastActivityAt: Math.max(countOf(record.get('last_upload')), countOf(record.get('last_download'))),
    },
    savePath: textOf(record.get('save_path')),
    suffix: suffixFound ? suffix : '',
    sequential: flagOf(record.get('sequential_download')),
    rateLimits: {
      downBytesPerSec: countOf(record.get('download_rate_limit')),
      upBytesPerSec: countOf(record.get('upload_rate_limit')),
    },
    isPaused: flagOf(record.get('paused')),
    isAutoManaged: flagOf(record.get('auto_managed')),
    magnet: magnetOf(record),
  };
}

function haveOf(record: BencodeDictionary): RecordedState['have'] {
  if (flagOf(record.get('seed_mode'))) return 'all';
  const pieces = asBytes(record.get('pieces'));
  if (!pieces || pieces.length === 0) return 'none';
  return { of: 'pieces', bits: bitsOfBytes(pieces), count: pieces.length };
}

/** libtorrent counts the lowest bit of a byte first. */
function unfinishedOf(record: BencodeDictionary): RecordedState['unfinished'] {
  return (asList(record.get('unfinished')) ?? []).slice(0, MAX_UNFINISHED).flatMap((item) => {
    const entry = asDictionary(item);
    const piece = asInteger(entry?.get('piece'));
    const bitmask = asBytes(entry?.get('bitmask'));
    return piece === null || !bitmask ? [] : [{ piece, blocks: Uint8Array.from(bitmask, reversed) }];
  });
}

function reversed(byte: number): number {
  let turned = 0;
  for (let bit = 0; bit < 8; bit++) if (byte & (1 << bit)) turned |= 0x80 >> bit;
  return turned;
}

function pathsOf(record: BencodeDictionary, suffix: string) {
  const paths: (readonly [number, readonly string[]])[] = [];
  let suffixFound = false;
  (asList(record.get('mapped_files')) ?? []).forEach((item, index) => {
    const given = asText(item) ?? '';
    if (given === '') return;
    if (given.includes('\ufffd')) throw unreadable(remark('NAME_NOT_UTF8', { index }));
    const isIncomplete = suffix !== '' && given.endsWith(suffix);
    suffixFound ||= isIncomplete;
    paths.push([index, (isIncomplete ? given.slice(0, -suffix.length) : given).split('/')]);
  });
  return { paths, suffixFound };
}

function magnetOf(record: BencodeDictionary): string | null {
  const hash = asBytes(record.get('info-hash'));
  if (hash?.length !== 20 || hash.every((byte) => byte === 0)) return null;
  const name = textOf(record.get('name'));
  return `magnet:?xt=urn:btih:${Buffer.from(hash).toString('hex')}${name ? `&dn=${encodeURIComponent(name)}` : ''}`;
}
