// A session of rTorrent: `<HASH>.torrent`, `<HASH>.torrent.libtorrent_resume` and `<HASH>.torrent.rtorrent` for each torrent; and its
// `.rtorrent.rc` and the settings of ruTorrent, where they lie in the same directory.
import { remark, type Remark } from '../../../../shared-protocol/import-remarks/remark.js';
import { NO_SETTINGS, type ForeignSettings } from '../foreign-settings.js';
import type { ForeignLibrary } from '../foreign-torrent.js';
import { readRecord } from '../record-values.js';
import { stateNotThere, unreadable, type StateDirectory } from '../state-directory.js';
import { readRc, type RcStatement } from './rc-file.js';
import { rcSettings } from './rtorrent-settings.js';
import { readRutorrent, type RutorrentConfig } from './rutorrent.js';
import { rutorrentFeeds } from './rutorrent-feeds.js';
import { ratioGroups, rutorrentSchedule, throttlesLeftOut } from './rutorrent-settings.js';
import { fromSession } from './session-record.js';

/** No spec value; each line is read. */
const MAX_RC_BYTES = 1024 * 1024;
const TORRENT = /^[0-9A-F]{40}\.torrent$/i;
const HOMES = [
  ...['', '.session', 'session', 'rtorrent/.session', 'rtorrent/session', '.rtorrent/session', '.rtorrent/.session'],
  ...['rtorrent_sess', 'rtorrent/rtorrent_sess'],
];
const RC_HOMES = ['', 'rtorrent', '.rtorrent', '.config/rtorrent', 'config'];
const RC_FILES = ['.rtorrent.rc', 'rtorrent.rc'];

/** @throws AppError `IMPORT_UNREADABLE` */
export async function openRtorrent(root: StateDirectory): Promise<ForeignLibrary> {
  const session = await root.firstOf(HOMES, (names) => names.some((name) => TORRENT.test(name)));
  if (!session) throw stateNotThere('session of rTorrent with <HASH>.torrent files in it');
  const notes: Remark[] = [];
  const rc = await statementsOf(root, notes);
  const rutorrent = await readRutorrent(root, notes);
  if (!rc) notes.push(remark('RTORRENT_CONFIG_MISSING', { file: '.rtorrent.rc' }));
  const groups = ratioGroups(rutorrent.ratio);
  return {
    entries: (await session.names()).filter((name) => TORRENT.test(name)),
    read: async (name) => {
      const torrent = await session.read(name);
      const record = await session.read(`${name}.rtorrent`);
      const resume = await session.read(`${name}.libtorrent_resume`);
      if (!torrent) throw unreadable(remark('FILE_GONE', { file: name }));
      if (!record) throw unreadable(remark('FILE_MISSING', { file: `${name}.rtorrent` }));
      const progress = resume ? readRecord(resume, `${name}.libtorrent_resume`) : new Map();
      return fromSession(readRecord(record, `${name}.rtorrent`), progress, torrent, name, groups);
    },
    categories: [],
    settings: settingsOf(rc ?? [], rutorrent),
    notes,
  };
}

/** null: there is no such file. */
async function statementsOf(root: StateDirectory, notes: Remark[]): Promise<readonly RcStatement[] | null> {
  const home = await root.firstOf(RC_HOMES, (names) => RC_FILES.some((file) => names.includes(file)));
  for (const file of home ? RC_FILES : []) {
    const bytes = await home?.readAside(file, notes, MAX_RC_BYTES);
    if (bytes) return readRc(bytes.toString('utf8'));
  }
  return home ? [] : null;
}

function settingsOf(rc: readonly RcStatement[], rutorrent: RutorrentConfig): ForeignSettings {
  const { limits, seeding, leftOut } = rcSettings(rc);
  const schedule = rutorrentSchedule(rutorrent.scheduler);
  const { feeds, filters, leftOut: rules } = rutorrentFeeds(rutorrent);
  return {
    ...NO_SETTINGS,
    ...{ limits: { ...limits, ...schedule.limits }, seeding, schedule: schedule.windows, feeds, filters },
    leftOut: [...leftOut, ...schedule.leftOut, ...throttlesLeftOut(rutorrent.throttle), ...rules],
  };
}
