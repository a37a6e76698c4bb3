// Methods that are not about torrents: settings, figures of the caller's account, room, port and blocklist.
import { changing, reading, type MethodTable } from '../row.js';
import { updateBlocklist } from './blocklist.js';
import { testPort } from './port-test.js';
import { freeSpace } from './room.js';
import { changeSettings, showSettings } from './settings.js';
import { showStats } from './stats.js';

export const sessionMethods = {
  'session-get': reading(showSettings),
  'session-set': changing(changeSettings, 'perm_change_settings'),
  'session-stats': reading(showStats),
  'free-space': reading(freeSpace),
  'port-test': reading(testPort),
  'blocklist-update': changing(updateBlocklist, 'perm_change_settings'),
} as const satisfies MethodTable;
