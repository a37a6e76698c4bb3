// search/*: there are no plugins, and so nothing is searched with them.
import { conflict, json } from './answers.js';
import { changing, reading, type RouteTable } from './row.js';

const NO_SEARCH = 'search: this program has no search plugins';

const refused = () => conflict(NO_SEARCH);

export const searchRoutes = {
  'search/plugins': reading(() => json([])),
  'search/status': reading(() => json([])),
  'search/results': reading(refused),
  'search/start': changing(refused),
  'search/stop': changing(refused),
  'search/delete': changing(refused),
  'search/installPlugin': changing(refused),
  'search/uninstallPlugin': changing(refused),
  'search/enablePlugin': changing(refused),
  'search/updatePlugins': changing(refused),
  'search/downloadTorrent': changing(refused),
} as const satisfies RouteTable;
