// The state of Transmission 2.8 to 4: `torrents` with a torrent file or a magnet for each, `resume` with a record of the same name.
import {
  asBytes,
  asDictionary,
  asInteger,
  asList,
  asText,
  type BencodeDictionary,
  type BencodeValue,
} from '../../../../shared-protocol/bencode-values.js';
import type { FilePriority } from '../../../../shared-protocol/commands.js';
import type { SeedingLimit } from '../../../../shared-protocol/library-record.js';
import type { RecordedState, RecordedTimes } from '../../../../shared-protocol/recorded-state.js';
import { NOTHING_RECORDED, type ForeignLibrary, type ForeignTorrent } from '../foreign-torrent.js';
import { readJson, type JsonObject } from '../json-file.js';
import { countOf, flagOf, readRecord, textOf, textsOf, tiersOf } from '../record-values.js';
import { stateNotThere, unreadable, type StateDirectory } from '../state-directory.js';
import { transmissionSettings } from './transmission-settings.js';

const HOMES = ['', '.config/transmission-daemon', '.config/transmission', 'info', 'transmission-home'];
const SUFFIX = '.part';
const TORRENT = /\.(?:torrent|magnet)$/;

/** @throws AppError `IMPORT_UNREADABLE` */
export async function openTransmission(root: StateDirectory): Promise<ForeignLibrary> {
  const home = await root.firstOf(HOMES, (names) => names.includes('torrents') && names.includes('resume'));
  const torrents = await home?.firstOf(['torrents']);
  const resume = await home?.firstOf(['resume']);
  if (!home || !torrents || !resume) {
    throw stateNotThere('directory of Transmission with torrents and resume in it');
  }
  const notes: string[] = [];
  const settings = await readJson(home, 'settings.json', notes);
  const suffix = givesSuffix(settings) ? SUFFIX : '';
  return {
    entries: (await torrents.names()).filter((name) => TORRENT.test(name)),
    read: async (name) => {
      const bytes = await torrents.read(name);
      const record = await resume.read(name.replace(TORRENT, '.resume'));
      if (!bytes) throw unreadable(`${name}: has gone`);
      if (!record) throw unreadable(`${name}: there is no record in resume beside it`);
      return fromResume(readRecord(record, name.replace(TORRENT, '.resume')), bytes, name, suffix);
    },
    categories: [],
    settings: transmissionSettings(settings),
    notes,
  };
}

function givesSuffix(settings: JsonObject): boolean {
  return settings['rename-partial-files'] !== false && settings['rename_partial_files'] !== false;
}

/** Pure. @throws AppError `IMPORT_UNREADABLE` */
export function fromResume(
  record: BencodeDictionary,
  torrent: Uint8Array,
  file: string,
  suffix: string,
): ForeignTorrent {
  const have = haveOf(asDictionary(record.get('progress')));
  const destination = textOf(record.get('destination'));
  const incomplete = textOf(record.get('incomplete-dir'));
  const isIncomplete = have !== 'all' && incomplete !== '';
  const seedingSeconds = countOf(record.get('seeding-time-seconds'));
  const notes = [];
  if (textOf(record.get('group')) !== '') notes.push('its bandwidth group is not taken over');
  return {
    source: sourceOf(torrent, file),
    savePath: isIncomplete ? incomplete : destination,
    completePath: isIncomplete ? destination : '',
    state: {
      ...NOTHING_RECORDED,
      have,
      fileTimes: timesOf(asDictionary(record.get('progress'))),
      filePriorities: prioritiesOf(record),
      paths: pathsOf(record),
      names: 'windows',
      trackers: trackersOf(record.get('trackers')),
      uploadedBytes: countOf(record.get('uploaded')),
      downloadedBytes: countOf(record.get('downloaded')),
      activeSeconds: seedingSeconds + countOf(record.get('downloading-time-seconds')),
      seedingSeconds,
      addedAt: countOf(record.get('added-date')),
      completedAt: countOf(record.get('done-date')),
      lastActivityAt: countOf(record.get('activity-date')),
    },
    paused: flagOf(record.get('paused')),
    forced: false,
    sequential: flagOf(record.get('sequentialDownload')) || flagOf(record.get('sequential_download')),
    firstLastFirst: false,
    name: '',
    category: '',
    tags: textsOf(record.get('labels')),
    rateLimits: {
      downBytesPerSec: speedOf(record, 'speed-limit-down'),
      upBytesPerSec: speedOf(record, 'speed-limit-up'),
    },
    seeding: {
      ratio: limitOf(asDictionary(record.get('ratio-limit')), 'ratio'),
      minutes: 'inherited',
      inactiveMinutes: limitOf(asDictionary(record.get('idle-limit')), 'idle'),
    },
    incompleteSuffix: have === 'all' ? '' : suffix,
    notes,
  };
}

function sourceOf(bytes: Uint8Array, file: string): ForeignTorrent['source'] {
  if (file.endsWith('.magnet')) return { kind: 'magnet', uri: Buffer.from(bytes).toString('utf8').trim() };
  const magnet = Buffer.from(bytes).includes('11:magnet-info')
    ? asDictionary(readRecord(bytes, file).get('magnet-info'))
    : null;
  if (!magnet) return { kind: 'metainfo', bytes: Uint8Array.from(bytes) };
  const hash = asBytes(magnet.get('info_hash'));
  if (hash?.length !== 20) throw unreadable(`${file}: its magnet has no hash`);
  const name = textOf(magnet.get('display-name'));
  const trackers = (tiersOf(readRecord(bytes, file).get('announce-list')) ?? []).flat();
  const parts = [
    ...(name ? [`dn=${encodeURIComponent(name)}`] : []),
    ...trackers.map((url) => `tr=${encodeURIComponent(url)}`),
  ];
  return { kind: 'magnet', uri: ['magnet:?xt=urn:btih:' + Buffer.from(hash).toString('hex'), ...parts].join('&') };
}

/** Blocks of 16 KiB; older ones wrote `have` for a torrent that is whole. */
function haveOf(progress: BencodeDictionary | null): RecordedState['have'] {
  const blocks = asBytes(progress?.get('blocks'));
  if (asText(blocks) === 'all' || textOf(progress?.get('have')) === 'all') return 'all';
  if (!blocks || asText(blocks) === 'none') return 'none';
  return { of: 'blocks', bits: blocks, count: null };
}

function timesOf(progress: BencodeDictionary | null): RecordedTimes | null {
  const written = asList(progress?.get('mtimes'));
  if (written) return { kind: 'exact', seconds: written.map((item) => countOf(item) || null) };
  const checked = asList(progress?.get('time-checked'));
  return checked && { kind: 'latest', seconds: checked.map(lastChecked) };
}

/** A time, or one that those of the pieces are counted from. */
function lastChecked(value: BencodeValue): number | null {
  const pieces = asList(value);
  if (!pieces) return countOf(value) || null;
  const last = pieces.slice(1).reduce<number>((most, item) => Math.max(most, countOf(item)), 0);
  return last > 0 ? countOf(pieces[0]) + last : null;
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

/** A line for each tracker, an empty one between tiers. */
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
  const limit = asDictionary(record.get(key));
  return limit && flagOf(limit.get('use-speed-limit')) ? countOf(limit.get('speed-Bps')) : 0;
}

/** Mode 0 is the limit of all, 1 its own, 2 none. */
function limitOf(limit: BencodeDictionary | null, name: 'ratio' | 'idle'): SeedingLimit {
  const mode = asInteger(limit?.get(`${name}-mode`)) ?? 0;
  if (mode === 2) return null;
  const value = limit?.get(`${name}-limit`);
  const own = asInteger(value) ?? Number(asText(value) ?? Number.NaN);
  return mode === 1 && Number.isFinite(own) && own >= 0 ? own : 'inherited';
}
