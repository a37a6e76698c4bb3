// session-stats: torrents that the caller is shown and their rates together, and what its own account has moved, since the
// process began and in all that is kept of its history. Files that were added and starts of the program are not counted.
import { setImmediate as othersRan } from 'node:timers/promises';
import { emptyStats } from '../../../../shared-protocol/stats-table.js';
import type { Moved } from '../../../../storage/traffic-history.js';
import { hasFlag } from '../../../services/library/torrent-dto.js';
import { statsOfShare } from '../../../services/library/shares.js';
import type { Call, Result } from '../row.js';

/** Measured: less than a millisecond. */
const COUNTED_AT_A_TIME = 2_000;

export async function showStats(call: Call): Promise<Result> {
  const { services, principal } = call;
  const { account } = principal;
  const [totals, history, paused] = await Promise.all([
    services.snapshots.totals(account),
    services.history.history(account, { by: 'account', from: '0' }),
    pausedCount(call),
  ]);
  const count = Math.max(totals.total_torrents, paused);
  return {
    activeTorrentCount: count - paused,
    pausedTorrentCount: paused,
    torrentCount: count,
    downloadSpeed: totals.total_download_rate,
    uploadSpeed: totals.total_upload_rate,
    'cumulative-stats': movedStats(history.total),
    'current-stats': movedStats(services.trafficRecorder.movedBy(account.id)),
  };
}

function movedStats({ down, up }: Moved) {
  return {
    downloadedBytes: down,
    uploadedBytes: up,
    filesAdded: 0,
    sessionCount: 1,
    secondsActive: Math.floor(process.uptime()),
  };
}

async function pausedCount({ services: { library }, principal }: Call): Promise<number> {
  const stats = emptyStats();
  let [paused, seen] = [0, 0];
  for (const torrent of [...library.visibleTo(principal.account)]) {
    if (++seen % COUNTED_AT_A_TIME === 0) await othersRan();
    if (!library.stats.read(torrent.row, torrent.rowTag, stats)) continue;
    if (hasFlag(statsOfShare(stats, torrent), 'paused')) paused++;
  }
  return paused;
}
