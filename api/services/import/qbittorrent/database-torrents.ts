// Torrents out of `torrents.db`: each row said as the `.fastresume` file that the same qBittorrent would write of it.
import type { BencodeDictionary, BencodeValue } from '../../../../shared-protocol/bencode-values.js';
import { remark } from '../../../../shared-protocol/import-remarks/remark.js';
import type { ForeignCategory, ForeignTorrent } from '../foreign-torrent.js';
import { readRecord } from '../record-values.js';
import { MAX_RECORD_BYTES, unreadable } from '../state-directory.js';
import { fromFastresume } from './fastresume.js';
import type { DatabaseRow } from './torrent-database.js';

const MIB = 1024 * 1024;

/** Reads each record once, in the order of the queue; what has been read is let go. */
export class DatabaseTorrents {
  readonly entries: readonly string[];
  readonly #rows: Map<string, DatabaseRow>;

  constructor(
    rows: readonly DatabaseRow[],
    private readonly categories: readonly ForeignCategory[],
  ) {
    const sorted = [...rows].sort((one, other) => Math.sign(placeOf(one) - placeOf(other)) || 0);
    this.#rows = new Map(
      sorted.map((row, index) => [`${textOf(row, 'torrent_id').slice(0, 64) || `row ${index}`}`, row]),
    );
    this.entries = [...this.#rows.keys()];
  }

  /** @throws AppError `IMPORT_UNREADABLE` */
  read(entry: string): ForeignTorrent {
    const row = this.#rows.get(entry);
    this.#rows.delete(entry);
    if (!row) throw unreadable(remark('FILE_GONE', { file: entry }));
    const metadata = bytesOf(row, 'metadata', entry);
    const resume = bytesOf(row, 'libtorrent_resume_data', entry);
    if (!resume) throw unreadable(remark('NO_RESUME_DATA', { file: entry }));
    return fromFastresume(asFastresume(readRecord(resume, entry), row), metadata, entry, this.categories);
  }
}

function asFastresume(resume: BencodeDictionary, row: DatabaseRow): BencodeDictionary {
  const isStopped = numberOf(row, 'stopped') > 0;
  const tags = textOf(row, 'tags').split(',');
  const own: readonly (readonly [string, BencodeValue])[] = [
    ['qBt-name', Buffer.from(textOf(row, 'name'))],
    ['qBt-category', Buffer.from(textOf(row, 'category'))],
    ['qBt-tags', tags.filter(Boolean).map((tag) => Buffer.from(tag))],
    ['qBt-savePath', Buffer.from(textOf(row, 'target_save_path'))],
    ['qBt-downloadPath', Buffer.from(textOf(row, 'download_path'))],
    ['qBt-ratioLimit', numberOf(row, 'ratio_limit', -2_000)],
    ['qBt-seedingTimeLimit', numberOf(row, 'seeding_time_limit', -2)],
    ['qBt-inactiveSeedingTimeLimit', numberOf(row, 'inactive_seeding_time_limit', -2)],
    ['qBt-firstLastPiecePriority', numberOf(row, 'has_outer_pieces_priority')],
    ['paused', isStopped ? 1 : 0],
    ['auto_managed', !isStopped && textOf(row, 'operating_mode') !== 'Forced' ? 1 : 0],
  ];
  return new Map([...resume, ...own]);
}

function placeOf(row: DatabaseRow): number {
  const place = numberOf(row, 'queue_position', -1);
  return place < 0 ? Infinity : place;
}

function numberOf(row: DatabaseRow, column: string, fallback = 0): number {
  const value = row[column];
  return typeof value === 'number' && Number.isSafeInteger(value) ? value : fallback;
}

function textOf(row: DatabaseRow, column: string): string {
  const value = row[column];
  return typeof value === 'string' ? value : value instanceof Uint8Array ? Buffer.from(value).toString('utf8') : '';
}

function bytesOf(row: DatabaseRow, column: string, entry: string): Uint8Array | null {
  const value = row[column];
  if (!(value instanceof Uint8Array) || value.length === 0) return null;
  if (value.length > MAX_RECORD_BYTES)
    throw unreadable(remark('RECORD_TOO_LARGE', { file: entry, column, mib: MAX_RECORD_BYTES / MIB }));
  return value;
}
