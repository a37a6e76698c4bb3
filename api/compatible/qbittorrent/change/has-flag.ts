// A flag of a torrent as its account is shown it.
import { emptyStats, TORRENT_FLAGS, type TorrentFlag } from '../../../../shared-protocol/stats-table.js';
import type { TorrentContext } from '../../../routes/route.js';
import { statsOfShare } from '../../../services/library/shares.js';

/** Whether the flag is set, of the share that the caller acts on. */
export function hasFlag(
  { services, torrent }: Pick<TorrentContext, 'services' | 'torrent'>,
  flag: TorrentFlag,
): boolean {
  const stats = emptyStats();
  services.library.stats.read(torrent.row, torrent.rowTag, stats);
  return (statsOfShare(stats, torrent).flags & TORRENT_FLAGS[flag]) !== 0;
}
