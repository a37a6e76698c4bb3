// The settings of ruTorrent: files of its `share/settings`, or `share/users/NAME/settings` where it has several users, as PHP writes
// values. A file that cannot be read costs itself.
import { remark, type Remark } from '../../../../shared-protocol/import-remarks/remark.js';
import { UnreadableState, type StateDirectory } from '../state-directory.js';
import { membersOfPhp, readPhp, type PhpMembers } from './php-values.js';

const SHARES = ['', 'share', 'rutorrent', 'rutorrent/share', 'config/rutorrent/share', 'rutorrent/settings'];
const FILES = ['rtorrent.dat', 'ratio.dat', 'throttle.dat', 'scheduler.dat', 'rss'];

export interface RutorrentConfig {
  readonly ratio: PhpMembers;
  readonly throttle: PhpMembers;
  readonly scheduler: PhpMembers;
  readonly feeds: PhpMembers;
  readonly filters: PhpMembers;
  readonly groups: PhpMembers;
}

export async function readRutorrent(root: StateDirectory, notes: Remark[]): Promise<RutorrentConfig> {
  const settings = await settingsOf(root, notes);
  const cache = (await settings?.firstOf(['rss/cache'])) ?? null;
  const members = async (directory: StateDirectory | null, file: string) => {
    const bytes = await directory?.readAside(file, notes);
    if (!bytes || bytes.length === 0) return membersOfPhp(null);
    try {
      return membersOfPhp(readPhp(bytes, file));
    } catch (error) {
      if (!(error instanceof UnreadableState)) throw error;
      notes.push(remark('FILE_LEFT', { problem: error.remark }));
      return membersOfPhp(null);
    }
  };
  return {
    ratio: await members(settings, 'ratio.dat'),
    throttle: await members(settings, 'throttle.dat'),
    scheduler: await members(settings, 'scheduler.dat'),
    feeds: await members(cache, 'info'),
    filters: await members(cache, 'filters'),
    groups: await members(cache, 'groups'),
  };
}

/** Where there are several users, whose they are is not known. */
async function settingsOf(root: StateDirectory, notes: Remark[]): Promise<StateDirectory | null> {
  const isSettings = (names: readonly string[]) => FILES.some((file) => names.includes(file));
  for (const share of SHARES) {
    const folder = await root.firstOf([share]);
    if (!folder) continue;
    const own = await folder.firstOf(['', 'settings'], isSettings);
    if (own) return own;
    const users = await folder.firstOf(['users']);
    const names = (await users?.folders()) ?? [];
    const [only, ...others] = names;
    if (others.length > 0) {
      notes.push(remark('RUTORRENT_USERS', { count: names.length }));
      return null;
    }
    const found = only === undefined ? null : await users?.firstOf([`${only}/settings`], isSettings);
    if (found) return found;
  }
  return null;
}
