// The state of qBittorrent 4 and 5: `BT_backup` with a `.fastresume` and a `.torrent` for each torrent, `categories.json` and
// `qBittorrent.conf`. Names of files there are hashes of version 2 for some torrents, so they say nothing here.
import {
  asInteger,
  asText,
  type BencodeDictionary,
  type BencodeValue,
} from '../../../../shared-protocol/bencode-values.js';
import type { SeedingLimit } from '../../../../shared-protocol/library-record.js';
import type { ForeignCategory, ForeignLibrary, ForeignSeeding, ForeignTorrent } from '../foreign-torrent.js';
import { readIni, type IniValues } from '../ini-file.js';
import { readLibtorrentResume } from '../libtorrent-resume.js';
import { flagOf, readRecord, textOf, textsOf } from '../record-values.js';
import type { StateDirectory } from '../state-directory.js';
import { unreadable } from '../state-directory.js';

const SUFFIX = '.!qB';
const RECORD = '.fastresume';
/** Where `BT_backup` is in what people name: itself, its folder, a profile, a home. */
const HOMES = [
  '',
  'BT_backup',
  'data/BT_backup',
  'qBittorrent/BT_backup',
  'qBittorrent/data/BT_backup',
  '.local/share/qBittorrent/BT_backup',
  '.local/share/data/qBittorrent/BT_backup',
];
const CONFIGS = ['', 'config', 'qBittorrent/config', 'qBittorrent', '.config/qBittorrent'];

/** @throws AppError `IMPORT_UNREADABLE` */
export async function openQbittorrent(root: StateDirectory): Promise<ForeignLibrary> {
  const config = await root.firstOf(CONFIGS, (names) => names.includes('qBittorrent.conf'));
  const ini = readIni(((await config?.read('qBittorrent.conf')) ?? Buffer.alloc(0)).toString('utf8'));
  const backup = await root.firstOf(HOMES, (names) => names.some((name) => name.endsWith(RECORD)));
  if (!backup) throw await explainAbsence(root, ini);
  const names = new Set(await backup.names());
  const records = [...names].filter((name) => name.endsWith(RECORD));
  const places = await queueOf(backup);
  const placeOf = (name: string) => places.get(name.slice(0, -RECORD.length)) ?? Infinity;
  const categories = await categoriesOf(config);
  return {
    entries: records.sort((one, other) => Math.sign(placeOf(one) - placeOf(other)) || 0),
    read: (name) => readTorrent(backup, name, names, categories),
    categories,
    notes: config
      ? []
      : ['qBittorrent.conf and categories.json are not in this directory: save paths of categories are not taken over'],
  };
}

async function explainAbsence(root: StateDirectory, ini: IniValues) {
  const folders = HOMES.map((home) => home.replace(/\/?BT_backup$/, ''));
  const isDatabase = await root.firstOf(folders, (names) => names.includes('torrents.db'));
  const wanted = ini.get('BitTorrent/Session\\ResumeDataStorageType') === 'SQLite';
  return isDatabase || wanted
    ? unreadable(
        'path: qBittorrent keeps its torrents in torrents.db here. In its options, Advanced, set "Resume data storage type" to ' +
          '"Fastresume files", restart qBittorrent, stop it, and import again',
      )
    : unreadable('path: there is no BT_backup of qBittorrent with .fastresume files in it');
}

async function queueOf(backup: StateDirectory): Promise<ReadonlyMap<string, number>> {
  const lines = ((await backup.read('queue').catch(() => null)) ?? Buffer.alloc(0)).toString('latin1').split(/\s+/);
  return new Map(lines.filter(Boolean).map((hash, place) => [hash, place]));
}

async function categoriesOf(config: StateDirectory | null): Promise<readonly ForeignCategory[]> {
  const bytes = await config?.read('categories.json');
  if (!bytes) return [];
  try {
    const parsed: unknown = JSON.parse(bytes.toString('utf8'));
    const entries =
      typeof parsed === 'object' && parsed !== null ? Object.entries(parsed as Record<string, unknown>) : [];
    return entries.map(([name, value]) => ({ name, savePath: savePathIn(value) }));
  } catch {
    return [];
  }
}

function savePathIn(value: unknown): string {
  const path = typeof value === 'object' && value !== null && 'save_path' in value ? value.save_path : '';
  return typeof path === 'string' ? path : '';
}

async function readTorrent(
  backup: StateDirectory,
  name: string,
  names: ReadonlySet<string>,
  categories: readonly ForeignCategory[],
): Promise<ForeignTorrent> {
  const bytes = await backup.read(name);
  if (!bytes) throw unreadable(`${name}: has gone`);
  const record = readRecord(bytes, name);
  const metainfo = `${name.slice(0, -RECORD.length)}.torrent`;
  const torrent = names.has(metainfo) ? await backup.read(metainfo) : null;
  return fromFastresume(record, torrent, name, categories);
}

/** Pure. `torrent`: null for a magnet. @throws AppError `IMPORT_UNREADABLE` */
export function fromFastresume(
  record: BencodeDictionary,
  torrent: Uint8Array | null,
  name: string,
  categories: readonly ForeignCategory[],
): ForeignTorrent {
  const resume = readLibtorrentResume(record, SUFFIX);
  if (!torrent && !resume.magnet)
    throw unreadable(`${name}: there is no torrent file beside it, nor a hash of version 1 in it`);
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
    notes: flagOf(record.get('super_seeding')) ? ['super-seeding is not taken over'] : [],
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
