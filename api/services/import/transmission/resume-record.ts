// A torrent of Transmission as its record in `resume` has it (versions 2.8 to 4.1), beside its torrent file or magnet.
import {
  asDictionary,
  asInteger,
  asList,
  asText,
  type BencodeDictionary,
  type BencodeValue,
} from '../../../../shared-protocol/bencode-values.js';
import type { FilePriority } from '../../../../shared-protocol/commands/details.js';
import { remark, type Remark } from '../../../../shared-protocol/import-remarks/remark.js';
import type { SeedingLimit } from '../../../../shared-protocol/library-record.js';
import type { RecordedState } from '../../../../shared-protocol/recorded-state.js';
import { NOTHING_RECORDED, type ForeignTorrent } from '../foreign-torrent.js';
import { countOf, flagOf, textOf, textsOf } from '../record-values.js';
import { quoted } from '../settings-values.js';
import { haveOf, timesOf } from './progress.js';
import { sourceOf } from './torrent-source.js';

/** Pure. `file` names the torrent file or magnet. @throws AppError `IMPORT_UNREADABLE` */
export function fromResume(
  written: BencodeDictionary,
  torrent: Uint8Array,
  file: string,
  suffix: string,
): ForeignTorrent {
  const record = hyphened(written);
  const progress = hyphened(asDictionary(record.get('progress')));
  const source = sourceOf(torrent, file);
  const have = haveOf(progress);
  const destination = textOf(record.get('destination'));
  const incomplete = textOf(record.get('incomplete-dir'));
  const completedAt = countOf(record.get('done-date'));
  // It was moved when all that was wanted of it was there.
  const isIncomplete = have !== 'all' && completedAt === 0 && incomplete !== '';
  const seedingSeconds = countOf(record.get('seeding-time-seconds'));
  return {
    source,
    savePath: isIncomplete ? incomplete : destination,
    completePath: isIncomplete ? destination : '',
    state: {
      ...NOTHING_RECORDED,
      have,
      fileTimes: timesOf(progress, have, source),
      filePriorities: prioritiesOf(record),
      paths: pathsOf(record),
      names: 'windows',
      trackers: trackersOf(record.get('trackers')),
      uploadedBytes: countOf(record.get('uploaded')),
      downloadedBytes: countOf(record.get('downloaded')),
      activeSeconds: seedingSeconds + countOf(record.get('downloading-time-seconds')),
      seedingSeconds,
      addedAt: countOf(record.get('added-date')),
      completedAt,
      lastActivityAt: countOf(record.get('activity-date')),
    },
    paused: flagOf(record.get('paused')),
    forced: false,
    sequential: flagOf(record.get('sequentialDownload')) || flagOf(record.get('sequential-download')),
    firstLastFirst: false,
    name: '',
    category: '',
    tags: textsOf(record.get('labels')),
    rateLimits: {
      downBytesPerSec: speedOf(record, 'speed-limit-down'),
      upBytesPerSec: speedOf(record, 'speed-limit-up'),
    },
    seeding: {
      ratio: limitOf(record, 'ratio'),
      minutes: 'inherited',
      inactiveMinutes: limitOf(record, 'idle'),
    },
    incompleteSuffix: have === 'all' ? '' : suffix,
    notes: notesOf(record),
  };
}

/** Names of fields are with hyphens, or with underscores where version 4.1 and later are told to write so. */
function hyphened(record: BencodeDictionary | null): BencodeDictionary {
  return new Map([...(record ?? [])].map(([name, value]) => [name.replaceAll('_', '-'), value]));
}

function notesOf(record: BencodeDictionary): Remark[] {
  const group = textOf(record.get('group'));
  const ofLimits = ['speed-limit-down', 'speed-limit-up'].map((key) => hyphened(asDictionary(record.get(key))));
  const isApart = ofLimits.some((limit) => asInteger(limit.get('use-global-speed-limit')) === 0);
  return [
    ...(group === '' ? [] : [remark('GROUP_LEFT', { name: quoted(group) })]),
    ...(isApart ? [remark('GLOBAL_LIMITS_LEFT')] : []),
    ...((asInteger(record.get('bandwidth-priority')) ?? 0) === 0 ? [] : [remark('PRIORITY_LEFT')]),
  ];
}

function prioritiesOf(record: BencodeDictionary): FilePriority[] | null {
  const unwanted = asList(record.get('dnd')) ?? [];
  const priorities = asList(record.get('priority')) ?? [];
  const count = Math.max(unwanted.length, priorities.length);
  if (count === 0) return null;
  return Array.from({ length: count }, (_, index) => {
    if (flagOf(unwanted[index])) return 'skip';
    return (asInteger(priorities[index]) ?? 0) > 0 ? 'high' : 'normal';
  });
}

function pathsOf(record: BencodeDictionary): RecordedState['paths'] {
  return (asList(record.get('files')) ?? []).flatMap((item, index) => {
    const path = asText(item) ?? '';
    return path === '' ? [] : [[index, path.split('/')] as const];
  });
}

/** A line for each tracker, an empty one between tiers, as a list that was edited is written. */
function trackersOf(value: BencodeValue | undefined): string[][] | null {
  const text = asText(value);
  if (text === null || text.trim() === '') return null;
  return text.split(/\n\s*\n/).map((tier) =>
    tier
      .split('\n')
      .map((url) => url.trim())
      .filter(Boolean),
  );
}

function speedOf(record: BencodeDictionary, key: string): number {
  const limit = hyphened(asDictionary(record.get(key)));
  return flagOf(limit.get('use-speed-limit')) ? countOf(limit.get('speed-Bps')) : 0;
}

/** Mode 0 is the limit of all, 1 its own, 2 none. */
function limitOf(record: BencodeDictionary, name: 'ratio' | 'idle'): SeedingLimit {
  const limit = hyphened(asDictionary(record.get(`${name}-limit`)));
  const mode = asInteger(limit.get(`${name}-mode`)) ?? 0;
  if (mode === 2) return null;
  const value = limit.get(`${name}-limit`);
  const own = asInteger(value) ?? Number(asText(value) ?? Number.NaN);
  return mode === 1 && Number.isFinite(own) && own >= 0 ? own : 'inherited';
}
