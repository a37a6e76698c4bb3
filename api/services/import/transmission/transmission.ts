// The state of Transmission 2.8 to 4.1: `torrents` with a torrent file or a magnet for each, `resume` with a record of the same name,
// by the info hash from version 4 on, and `queue.json` from 4.1 on.
import type { LeftOut } from '../foreign-settings.js';
import type { ForeignLibrary } from '../foreign-torrent.js';
import { remark, type Remark } from '../../../../shared-protocol/import-remarks/remark.js';
import { readJson, readJsonList, type JsonObject } from '../json-file.js';
import { readRecord } from '../record-values.js';
import { shortened } from '../settings-values.js';
import { stateNotThere, unreadable, type StateDirectory } from '../state-directory.js';
import { fromResume } from './resume-record.js';
import { transmissionSettings } from './transmission-settings.js';

const HOMES = ['', '.config/transmission-daemon', '.config/transmission', 'info', 'transmission-home'];
const SUFFIX = '.part';
const TORRENT = /\.(?:torrent|magnet)$/;
const MIB = 1024 * 1024;
/** A name for each torrent. */
const MAX_QUEUE_BYTES = 64 * MIB;

/** @throws AppError `IMPORT_UNREADABLE` */
export async function openTransmission(root: StateDirectory): Promise<ForeignLibrary> {
  const home = await root.firstOf(HOMES, (names) => names.includes('torrents') && names.includes('resume'));
  const torrents = await home?.firstOf(['torrents']);
  const resume = await home?.firstOf(['resume']);
  if (!home || !torrents || !resume) {
    throw stateNotThere('directory of Transmission with torrents and resume in it');
  }
  const notes: Remark[] = [];
  const written = await readJson(home, 'settings.json', notes);
  const settings = transmissionSettings(written);
  const leftOut = [...settings.leftOut, ...groupsOf(await readJson(home, 'bandwidth-groups.json', notes))];
  const suffix = givesSuffix(written) ? SUFFIX : '';
  return {
    entries: inOrder(await torrents.names(), await readJsonList(home, 'queue.json', notes, MAX_QUEUE_BYTES)),
    read: async (name) => {
      const bytes = await torrents.read(name);
      const record = await resume.read(name.replace(TORRENT, '.resume'));
      if (!bytes) throw unreadable(remark('FILE_GONE', { file: name }));
      if (!record) throw unreadable(remark('NO_RECORD_BESIDE', { file: name }));
      return fromResume(readRecord(record, name.replace(TORRENT, '.resume')), bytes, name, suffix);
    },
    categories: [],
    settings: { ...settings, leftOut },
    notes,
  };
}

function givesSuffix(settings: JsonObject): boolean {
  return settings['rename-partial-files'] !== false && settings['rename_partial_files'] !== false;
}

/** Torrents by their place in the queue, then those that are not in it, by name. A magnet whose metadata came is a torrent file. */
function inOrder(names: readonly string[], queue: readonly unknown[]): string[] {
  const all = new Set(names);
  const places = new Map(queue.map((name, place) => [name, place]));
  const placeOf = (name: string) => places.get(name) ?? Infinity;
  return names
    .filter((name) => TORRENT.test(name) && !(name.endsWith('.magnet') && all.has(name.replace(TORRENT, '.torrent'))))
    .sort((one, other) => Math.sign(placeOf(one) - placeOf(other)) || 0);
}

/** Groups of version 4, whose torrents share a limit. */
function groupsOf(groups: JsonObject): LeftOut[] {
  const reason = remark('NO_GROUP_LIMITS');
  return Object.keys(groups).map((name) => ({ name: remark('BANDWIDTH_GROUP', { name: shortened(name) }), reason }));
}
