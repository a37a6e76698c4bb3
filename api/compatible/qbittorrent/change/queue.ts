// torrents/*Prio: places in the queue. Torrents that are named together are moved together and keep their order.
import type { QueueTarget } from '../../../../shared-protocol/commands/limits.js';
import { conflict } from '../answers.js';
import { changing, type RouteTable } from '../row.js';
import { actOn, idsNamed } from './named.js';

export const queueRoutes = {
  'torrents/topPrio': moving('top'),
  'torrents/bottomPrio': moving('bottom'),
  'torrents/increasePrio': moving('up'),
  'torrents/decreasePrio': moving('down'),
} as const satisfies RouteTable;

/** There is a queue while it holds anything back, as in qBittorrent. */
function moving(to: QueueTarget) {
  return changing((call) => {
    const ids = idsNamed(call);
    const { max_active_downloads, max_active_seeds } = call.services.engineSettings.queueLimits;
    if (max_active_downloads + max_active_seeds === 0) return conflict('Torrent queueing must be enabled');
    return actOn(call, ids, { action: 'queue_move', to });
  });
}
