// A torrent of rTorrent as its session has it, with the fields that ruTorrent keeps in it.
import { basename, dirname } from 'node:path';
import {
  asBytes,
  asDictionary,
  asInteger,
  asList,
  asText,
  type BencodeDictionary,
} from '../../../../shared-protocol/bencode-values.js';
import type { FilePriority } from '../../../../shared-protocol/commands/details.js';
import { remark } from '../../../../shared-protocol/import-remarks/remark.js';
import type { RecordedState, RecordedTimes } from '../../../../shared-protocol/recorded-state.js';
import { NOTHING_RECORDED, SEEDING_AS_HERE, type ForeignTorrent } from '../foreign-torrent.js';
import { countOf, flagOf, readRecord, textOf, textsOf } from '../record-values.js';
import { shortened } from '../settings-values.js';
import { unreadable } from '../state-directory.js';
import type { RatioGroups } from './rutorrent-settings.js';
import { withoutTrailingSlashes } from '../../../../shared-protocol/trailing-slashes.js';

/** Pure. @throws AppError `IMPORT_UNREADABLE` */
export function fromSession(
  record: BencodeDictionary,
  resume: BencodeDictionary,
  torrent: Uint8Array,
  file: string,
  groups: RatioGroups = new Map(),
): ForeignTorrent {
  const metainfo = readRecord(torrent, file);
  const info = asDictionary(metainfo.get('info'));
  const isMagnet = flagOf(info?.get('meta_download'));
  const magnet = textOf(metainfo.get('magnet-uri'));
  if (isMagnet && magnet === '') throw unreadable(remark('NO_METADATA', { file }));
  const custom = asDictionary(record.get('custom'));
  const directory = textOf(record.get('directory'));
  const isInFolder = !isMagnet && info?.get('files') !== undefined && directory !== '';
  const folder = basename(directory);
  const throttle = textOf(record.get('throttle_name'));
  const ratios = textsOf(record.get('views')).flatMap((view) => groups.get(view) ?? []);
  const ratio = ratios.find((each) => typeof each === 'number');
  return {
    source: isMagnet ? { kind: 'magnet', uri: magnet } : { kind: 'metainfo', bytes: Uint8Array.from(torrent) },
    savePath: isInFolder ? dirname(withoutTrailingSlashes(directory)) : directory,
    completePath: '',
    state: {
      ...NOTHING_RECORDED,
      names: 'raw',
      have: haveOf(resume),
      fileTimes: timesOf(resume),
      filePriorities: prioritiesOf(resume),
      trackers: trackersOf(asDictionary(resume.get('trackers'))),
      uploadedBytes: countOf(record.get('total_uploaded')),
      downloadedBytes: countOf(record.get('total_downloaded')),
      addedAt: numberOf(custom, 'addtime') || countOf(record.get('timestamp.started')),
      completedAt: countOf(record.get('timestamp.finished')),
      ...(isInFolder && { folder }),
    },
    paused: !flagOf(record.get('state')),
    forced: false,
    sequential: false,
    firstLastFirst: false,
    name: '',
    category: unescaped(textOf(record.get('custom1'))),
    tags: [],
    rateLimits: { downBytesPerSec: 0, upBytesPerSec: 0 },
    seeding: { ...SEEDING_AS_HERE, ...(ratio !== undefined && { ratio }) },
    incompleteSuffix: '',
    notes: [
      ...(throttle === '' ? [] : [remark('THROTTLE_LEFT', { name: shortened(throttle) })]),
      ...ratios.flatMap((each) =>
        typeof each === 'number' ? [] : [remark('RATIO_GROUP_LEFT', { name: each.name, reason: each.reason })],
      ),
    ],
  };
}

/** A string of bits, or a number of pieces: all of them, or 0. Pieces that were being written are in doubt. */
function haveOf(resume: BencodeDictionary): RecordedState['have'] {
  const value = resume.get('bitfield');
  const bytes = asBytes(value);
  if (!bytes) return countOf(value) > 0 ? 'all' : 'none';
  const bits = Uint8Array.from(bytes);
  const doubtful = Buffer.from(asBytes(resume.get('uncertain_pieces')) ?? []);
  for (let at = 0; at + 4 <= doubtful.length; at += 4) {
    const piece = doubtful.readUInt32BE(at);
    if (piece >> 3 < bits.length) bits[piece >>> 3]! &= ~(0x80 >> (piece & 7));
  }
  return { of: 'pieces', bits, count: null };
}

/** Values near 2^64 stand for what is no time. */
function timesOf(resume: BencodeDictionary): RecordedTimes | null {
  const files = asList(resume.get('files'));
  return files && { kind: 'exact', seconds: files.map((file) => countOf(asDictionary(file)?.get('mtime')) || null) };
}

function prioritiesOf(resume: BencodeDictionary): FilePriority[] | null {
  const files = asList(resume.get('files'));
  return (
    files &&
    files.map((file) => {
      const priority = asInteger(asDictionary(file)?.get('priority')) ?? 1;
      if (priority === 0) return 'skip';
      return priority === 2 ? 'high' : 'normal';
    })
  );
}

function trackersOf(trackers: BencodeDictionary | null): string[][] | null {
  if (!trackers) return null;
  const tiers = new Map<number, string[]>();
  for (const [key, value] of trackers) {
    const fields = asDictionary(value);
    if (!fields || !flagOf(fields.get('enabled')) || !/^(?:https?|udp):/.test(key)) continue;
    const group = countOf(fields.get('group'));
    tiers.set(group, [...(tiers.get(group) ?? []), Buffer.from(key, 'latin1').toString('utf8')]);
  }
  return [...tiers].sort(([one], [other]) => one - other).map(([, urls]) => urls);
}

function numberOf(fields: BencodeDictionary | null, key: string): number {
  const number = Number((asText(fields?.get(key)) ?? '').trim());
  return Number.isSafeInteger(number) && number > 0 ? number : 0;
}

/** ruTorrent escapes labels as in addresses. */
function unescaped(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    return text;
  }
}
