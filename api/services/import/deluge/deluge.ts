// The state of Deluge 1.3 and 2: `state/torrents.state`, a pickle of all torrents, `state/torrents.fastresume`, a dictionary of
// resume data of libtorrent, a torrent file for each; and the configuration beside.
import { asBytes } from '../../../../shared-protocol/bencode-values.js';
import { remark, type Remark } from '../../../../shared-protocol/import-remarks/remark.js';
import { NOTHING_RECORDED, SEEDING_AS_HERE, type ForeignLibrary, type ForeignTorrent } from '../foreign-torrent.js';
import { readLibtorrentResume } from '../libtorrent-resume.js';
import { priorityOf, readRecord } from '../record-values.js';
import { stateNotThere, unreadable, type StateDirectory } from '../state-directory.js';
import { readDelugeConfig } from './deluge-config.js';
import { categoriesOf, labelsOfTorrents } from './deluge-labels.js';
import { delugeSettings } from './deluge-settings.js';
import { readPickle, type PickleValue } from './pickle.js';

const MIB = 1024 * 1024;
/** All torrents are in each of them. */
const MAX_STATE_BYTES = 256 * MIB;
const HOMES = ['', 'state', '.config/deluge/state', 'deluge/state', 'config/state'];
const CLASSES = new Set(['deluge.core.torrentmanager TorrentManagerState', 'deluge.core.torrentmanager TorrentState']);
const KIB = 1024;

type Fields = ReadonlyMap<string, PickleValue>;

/** @throws AppError `IMPORT_UNREADABLE` */
export async function openDeluge(root: StateDirectory): Promise<ForeignLibrary> {
  const state = await root.firstOf(HOMES, (names) => names.includes('torrents.state'));
  const bytes = await state?.read('torrents.state', MAX_STATE_BYTES);
  if (!state || !bytes) throw stateNotThere('state of Deluge with torrents.state in it');
  const torrents = torrentsOf(readPickle(bytes, 'torrents.state', CLASSES));
  const resumes = await state.read('torrents.fastresume', MAX_STATE_BYTES);
  const resumeOf = resumes ? readRecord(resumes, 'torrents.fastresume') : new Map();
  const notes = resumes ? [] : [remark('DELUGE_PROGRESS_MISSING', { file: 'torrents.fastresume' })];
  const config = await readDelugeConfig(root, notes);
  const settings = delugeSettings(config);
  const labels = labelsOfTorrents(config.label);
  const ratioOfAll = settings.seeding.ratio_limit !== undefined;
  return {
    entries: [...torrents.keys()],
    read: async (id) => {
      const torrent = await state.read(`${id}.torrent`);
      const fields = torrents.get(id)!;
      const found = fromState(fields, torrent, asBytes(resumeOf.get(id)), id, labels.get(id) ?? '');
      // Each torrent says there whether it has a ratio: one without is an exception from that of all.
      const isException = ratioOfAll && fields.get('stop_at_ratio') === false;
      return isException ? { ...found, seeding: { ...found.seeding, ratio: null } } : found;
    },
    categories: categoriesOf(config.label),
    settings,
    notes,
  };
}

/** By id, in the order of the queue. */
function torrentsOf(state: PickleValue): ReadonlyMap<string, Fields> {
  const list = state instanceof Map ? state.get('torrents') : null;
  if (!Array.isArray(list)) throw unreadable(remark('NO_TORRENTS', { file: 'torrents.state' }));
  const found = list.flatMap((item) => {
    const id = item instanceof Map ? item.get('torrent_id') : null;
    return item instanceof Map && typeof id === 'string' && /^[0-9a-f]{40}$/i.test(id) ? [[id, item] as const] : [];
  });
  const placeOf = (fields: Fields) => {
    const place = fields.get('queue');
    return typeof place === 'number' && place >= 0 ? place : Infinity;
  };
  return new Map(found.sort(([, one], [, other]) => Math.sign(placeOf(one) - placeOf(other)) || 0));
}

/** Pure. `torrent`: null for a magnet; `resume`: bencoded. @throws AppError `IMPORT_UNREADABLE` */
export function fromState(
  fields: Fields,
  torrent: Uint8Array | null,
  resume: Uint8Array | null,
  id: string,
  label: string,
): ForeignTorrent {
  const magnet = textIn(fields, 'magnet');
  if (!torrent && magnet === '') throw unreadable(remark('NO_TORRENT_FILE', { file: id }));
  const found = resume ? readLibtorrentResume(readRecord(resume, `${id} in torrents.fastresume`), '') : null;
  const priorities = fields.get('file_priorities');
  const state = found?.state ?? NOTHING_RECORDED;
  const ratio = numberIn(fields, 'stop_ratio');
  const savePath = textIn(fields, 'save_path') || (found?.savePath ?? '');
  const moves = fields.get('move_completed') === true && state.have !== 'all' && fields.get('is_finished') !== true;
  return {
    source: torrent ? { kind: 'metainfo', bytes: Uint8Array.from(torrent) } : { kind: 'magnet', uri: magnet },
    savePath,
    completePath: moves ? textIn(fields, 'move_completed_path') : '',
    state: {
      ...state,
      filePriorities:
        Array.isArray(priorities) && priorities.length > 0
          ? priorities.map((priority) => priorityOf(typeof priority === 'number' ? priority : 4))
          : state.filePriorities,
      trackers: trackersOf(fields.get('trackers')) ?? state.trackers,
      uploadedBytes: state.uploadedBytes || Math.max(0, numberIn(fields, 'total_uploaded')),
    },
    paused: fields.get('paused') === true,
    forced: fields.get('paused') !== true && fields.get('auto_managed') === false,
    sequential: fields.get('sequential_download') === true,
    firstLastFirst: fields.get('prioritize_first_last') === true,
    name: textIn(fields, 'name'),
    category: label,
    tags: [],
    rateLimits: {
      downBytesPerSec: speedIn(fields, 'max_download_speed'),
      upBytesPerSec: speedIn(fields, 'max_upload_speed'),
    },
    seeding: fields.get('stop_at_ratio') === true ? { ...SEEDING_AS_HERE, ratio: Math.max(0, ratio) } : SEEDING_AS_HERE,
    incompleteSuffix: '',
    notes: notesOf(fields),
  };
}

function notesOf(fields: Fields): Remark[] {
  const owner = textIn(fields, 'owner');
  return [
    ...(fields.get('remove_at_ratio') === true ? [remark('RATIO_REMOVAL')] : []),
    ...(fields.get('super_seeding') === true ? [remark('SUPER_SEEDING')] : []),
    ...(owner !== '' && owner !== 'localclient' ? [remark('OWNER_THERE', { owner })] : []),
  ];
}

function trackersOf(value: PickleValue | undefined): string[][] | null {
  if (!Array.isArray(value) || value.length === 0) return null;
  const tiers = new Map<number, string[]>();
  for (const tracker of value) {
    const url = tracker instanceof Map ? tracker.get('url') : null;
    const tier = tracker instanceof Map ? tracker.get('tier') : null;
    if (typeof url !== 'string') continue;
    const number = typeof tier === 'number' ? tier : 0;
    tiers.set(number, [...(tiers.get(number) ?? []), url]);
  }
  return [...tiers].sort(([one], [other]) => one - other).map(([, urls]) => urls);
}

function textIn(fields: Fields, key: string): string {
  const value = fields.get(key);
  if (value instanceof Uint8Array) return Buffer.from(value).toString('utf8');
  return typeof value === 'string' ? value : '';
}

function numberIn(fields: Fields, key: string): number {
  const value = fields.get(key);
  return typeof value === 'number' && Number.isFinite(value) ? value : 0;
}

/** KiB a second; -1 is none. */
function speedIn(fields: Fields, key: string): number {
  return Math.max(0, Math.floor(numberIn(fields, key) * KIB));
}
