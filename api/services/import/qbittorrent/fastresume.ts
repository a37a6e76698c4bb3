// One torrent of qBittorrent: its resume data of libtorrent, with what qBittorrent keeps in it besides. Pure.
import {
  asInteger,
  asText,
  type BencodeDictionary,
  type BencodeValue,
} from '../../../../shared-protocol/bencode-values.js';
import { remark } from '../../../../shared-protocol/import-remarks/remark.js';
import type { SeedingLimit } from '../../../../shared-protocol/library-record.js';
import type { ForeignCategory, ForeignSeeding, ForeignTorrent } from '../foreign-torrent.js';
import { readLibtorrentResume } from '../libtorrent-resume.js';
import { flagOf, textOf, textsOf } from '../record-values.js';
import { unreadable } from '../state-directory.js';

const SUFFIX = '.!qB';

/** `torrent`: null for a magnet. @throws AppError `IMPORT_UNREADABLE` */
export function fromFastresume(
  record: BencodeDictionary,
  torrent: Uint8Array | null,
  name: string,
  categories: readonly ForeignCategory[],
): ForeignTorrent {
  const resume = readLibtorrentResume(record, SUFFIX);
  if (!torrent && !resume.magnet) throw unreadable(remark('NO_TORRENT_FILE_BESIDE', { file: name }));
  const category = textOf(record.get('qBt-category'));
  const own =
    textOf(record.get('qBt-savePath')) || (categories.find((known) => known.name === category)?.savePath ?? '');
  const downloads = textOf(record.get('qBt-downloadPath'));
  const savePath = resume.savePath || own;
  const completePath = downloads !== '' && own !== '' && own !== savePath ? own : '';
  return {
    source: torrent ? { kind: 'metainfo', bytes: Uint8Array.from(torrent) } : { kind: 'magnet', uri: resume.magnet! },
    savePath,
    completePath,
    state: resume.state,
    paused: resume.isPaused && !resume.isAutoManaged,
    forced: !resume.isPaused && !resume.isAutoManaged,
    sequential: resume.sequential || flagOf(record.get('qBt-sequential')),
    firstLastFirst: flagOf(record.get('qBt-firstLastPiecePriority')),
    name: textOf(record.get('qBt-name')),
    category,
    tags: textsOf(record.get('qBt-tags')),
    rateLimits: resume.rateLimits,
    seeding: seedingOf(record),
    incompleteSuffix: resume.suffix,
    notes: flagOf(record.get('super_seeding')) ? [remark('SUPER_SEEDING')] : [],
  };
}

function seedingOf(record: BencodeDictionary): ForeignSeeding {
  return {
    ratio: ratioOf(record.get('qBt-ratioLimit')),
    minutes: minutesOf(record.get('qBt-seedingTimeLimit')),
    inactiveMinutes: minutesOf(record.get('qBt-inactiveSeedingTimeLimit')),
  };
}

/** Thousandths, or by newer ones a text; -2 is the limit of all, -1 none. */
function ratioOf(value: BencodeValue | undefined): SeedingLimit {
  const text = asText(value);
  const ratio = text === null ? (asInteger(value) ?? -2_000) / 1_000 : Number(text);
  if (!Number.isFinite(ratio) || ratio <= -2) return 'inherited';
  return ratio < 0 ? null : ratio;
}

function minutesOf(value: BencodeValue | undefined): SeedingLimit {
  const minutes = asInteger(value) ?? -2;
  if (minutes <= -2) return 'inherited';
  return minutes < 0 ? null : minutes;
}
