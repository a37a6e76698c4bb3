// The state of qBittorrent 4 and 5: `BT_backup` with a `.fastresume` and a `.torrent` for each torrent, or `torrents.db`; `categories.json`
// and `qBittorrent.conf`. Names of files there are hashes of version 2 for some torrents, so they say nothing here.
import { remark, type Remark } from '../../../../shared-protocol/import-remarks/remark.js';
import type { ForeignCategory, ForeignLibrary, ForeignTorrent } from '../foreign-torrent.js';
import type { ForeignSettings } from '../foreign-settings.js';
import { readIni, type IniValues } from '../ini-file.js';
import { readJson } from '../json-file.js';
import { readRecord } from '../record-values.js';
import type { StateDirectory } from '../state-directory.js';
import { stateNotThere, unreadable } from '../state-directory.js';
import { DatabaseTorrents } from './database-torrents.js';
import { fromFastresume } from './fastresume.js';
import { feedsThere } from './feeds-there.js';
import { qbittorrentSettings } from './qbittorrent-settings.js';
import { rulesThere } from './rules-there.js';
import { readTorrentDatabase } from './torrent-database.js';

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
const DATABASE_HOMES = HOMES.map((home) => home.replace(/\/?BT_backup$/, ''));
const CONFIGS = ['', 'config', 'qBittorrent/config', 'qBittorrent', '.config/qBittorrent'];

/** `scratch`: a folder of ours for what has to be copied. @throws AppError `IMPORT_UNREADABLE`, `STORAGE_FAILED` */
export async function openQbittorrent(root: StateDirectory, scratch: string): Promise<ForeignLibrary> {
  const config = await root.firstOf(CONFIGS, (names) => names.includes('qBittorrent.conf'));
  const notes = config ? [] : [remark('QBITTORRENT_CONFIG_MISSING')];
  const categories = await categoriesOf(config, notes);
  const ini = readIni(((await config?.readAside('qBittorrent.conf', notes)) ?? Buffer.alloc(0)).toString('utf8'));
  const about = { categories, settings: await settingsOf(config, ini, notes), notes };
  const backup = await root.firstOf(HOMES, (names) => names.some((name) => name.endsWith(RECORD)));
  // Files of before lie beside a database that has taken their place.
  const isDatabase = !backup || ini.get('BitTorrent/Session\\ResumeDataStorageType') === 'SQLite';
  const database = isDatabase ? await root.firstOf(DATABASE_HOMES, (names) => names.includes('torrents.db')) : null;
  const rows = database && (await readTorrentDatabase(database, scratch));
  if (rows) {
    const torrents = new DatabaseTorrents(rows, categories);
    return { ...about, entries: torrents.entries, read: async (entry) => torrents.read(entry) };
  }
  if (!backup) throw stateNotThere('BT_backup of qBittorrent with .fastresume files in it, and no torrents.db');
  const names = new Set(await backup.names());
  const records = [...names].filter((name) => name.endsWith(RECORD));
  const places = await queueOf(backup, notes);
  const placeOf = (name: string) => places.get(name.slice(0, -RECORD.length)) ?? Infinity;
  return {
    ...about,
    entries: records.sort((one, other) => Math.sign(placeOf(one) - placeOf(other)) || 0),
    read: (name) => readTorrent(backup, name, names, categories),
  };
}

async function settingsOf(config: StateDirectory | null, ini: IniValues, notes: Remark[]): Promise<ForeignSettings> {
  const settings = qbittorrentSettings(ini);
  const rss = await config?.firstOf(['rss']);
  if (!rss) return settings;
  const feeds = feedsThere(await readJson(rss, 'feeds.json', notes), ini);
  const { filters, leftOut } = rulesThere(await readJson(rss, 'download_rules.json', notes), ini);
  return { ...settings, feeds, filters, leftOut: [...settings.leftOut, ...leftOut] };
}

async function queueOf(backup: StateDirectory, notes: Remark[]): Promise<ReadonlyMap<string, number>> {
  const lines = ((await backup.readAside('queue', notes)) ?? Buffer.alloc(0)).toString('latin1').split(/\s+/);
  return new Map(lines.filter(Boolean).map((hash, place) => [hash, place]));
}

async function categoriesOf(config: StateDirectory | null, notes: Remark[]): Promise<readonly ForeignCategory[]> {
  const categories = config ? await readJson(config, 'categories.json', notes) : {};
  return Object.entries(categories).map(([name, value]) => ({ name, savePath: savePathIn(value) }));
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
  if (!bytes) throw unreadable(remark('FILE_GONE', { file: name }));
  const record = readRecord(bytes, name);
  const metainfo = `${name.slice(0, -RECORD.length)}.torrent`;
  const torrent = names.has(metainfo) ? await backup.read(metainfo) : null;
  return fromFastresume(record, torrent, name, categories);
}
