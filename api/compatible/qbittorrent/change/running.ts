// torrents/*: whether torrents run, and what is done to them now. Both names of what was renamed with WebAPI 2.11.
import type { TorrentContext } from '../../../routes/route.js';
import { announce } from '../../announce.js';
import type { RouteTable } from '../row.js';
import { hasFlag } from './has-flag.js';
import { batched, editing } from './named.js';

const stop = batched(() => ({ action: 'pause' }));
/** Ends being forced as well, as in qBittorrent. */
const start = editing(() => (torrent) => run(torrent, false));

export const runningRoutes = {
  'torrents/delete': batched(({ fields }) => ({ action: 'remove', delete_data: fields.requiredFlag('deleteFiles') })),
  'torrents/stop': stop,
  'torrents/pause': stop,
  'torrents/start': start,
  'torrents/resume': start,
  'torrents/setForceStart': editing(({ fields }) => {
    const isForced = fields.requiredFlag('value');
    return (torrent) => run(torrent, isForced);
  }),
  'torrents/recheck': batched(() => ({ action: 'recheck' })),
  'torrents/reannounce': editing(() => announce),
} as const satisfies RouteTable;

/** A torrent that is told to run runs by the queue or, forced, whatever it says. */
async function run({ services, principal, share, torrent }: TorrentContext, isForced: boolean): Promise<void> {
  await services.running.resume(principal.account, share);
  if (hasFlag({ services, torrent }, 'forceStart') !== isForced) await services.library.setForceStart(share, isForced);
}
