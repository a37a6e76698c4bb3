// app/*: which program this is, its preferences, and what it is not to be asked for by a tool.
import { conflict, json, text } from '../answers.js';
import { changing, reading, type RouteTable } from '../row.js';
import { directoryContent } from './directory-content.js';
import { interfaceAddresses, interfaces } from './network-interfaces.js';
import { setPreferences, showPreferences } from './preferences/preferences.js';

/** Tools choose by them what they ask for (docs/compatible.md). */
const VERSION = 'v5.1.4';
const WEBAPI_VERSION = '2.11.4';
/** Libraries that are not here are those of the release that the version names: tools look whether features are. */
const BUILD = {
  qt: '6.9.2',
  libtorrent: '2.0.11.0',
  boost: '1.86.0',
  openssl: process.versions.openssl,
  zlib: process.versions['zlib'],
  bitness: 64,
  platform: process.platform,
};

export const appRoutes = {
  'app/version': reading(() => text(VERSION)),
  'app/webapiVersion': reading(() => text(WEBAPI_VERSION)),
  'app/buildInfo': reading(() => json(BUILD)),
  'app/defaultSavePath': reading(({ services, principal }) => text(services.savePaths.defaultOf(principal.account))),
  'app/preferences': reading(showPreferences),
  'app/setPreferences': changing(setPreferences, 'perm_change_settings'),
  'app/networkInterfaceList': reading(interfaces),
  'app/networkInterfaceAddressList': reading(interfaceAddresses),
  'app/getDirectoryContent': reading(directoryContent, 'perm_add_torrents'),
  'app/cookies': reading(() => json([])),
  'app/setCookies': refused('cookies: none are kept for fetches'),
  'app/sendTestEmail': refused('mail: none is sent by this program'),
  'app/shutdown': refused('shutdown: not by a tool; the service is ended where it runs'),
} as const satisfies RouteTable;

/** Whatever the account may do elsewhere. */
function refused(reason: string) {
  return changing(() => conflict(reason));
}
