// The routes of qBittorrent's WebAPI that change torrents, categories and tags.
import type { RouteTable } from '../row.js';
import { addRoutes } from './add.js';
import { labelRoutes } from './labels.js';
import { limitRoutes } from './limits.js';
import { peerRoutes } from './peers.js';
import { placeRoutes } from './places.js';
import { queueRoutes } from './queue.js';
import { runningRoutes } from './running.js';
import { toggleRoutes } from './toggles.js';
import { trackerRoutes } from './trackers.js';

export const changeRoutes = {
  ...addRoutes,
  ...runningRoutes,
  ...queueRoutes,
  ...toggleRoutes,
  ...labelRoutes,
  ...limitRoutes,
  ...placeRoutes,
  ...trackerRoutes,
  ...peerRoutes,
} as const satisfies RouteTable;
