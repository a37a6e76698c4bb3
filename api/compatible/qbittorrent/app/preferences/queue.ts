// How many torrents run at a time. Swarmd has no switch for it: without a limit nothing is held back, so that turning the
// queue off takes the limits away. A limit for downloads and seeds together there is none of.
import { z } from 'zod';
import { MAX_STALLED_MINUTES } from '../../../../../shared-protocol/queue-bounds.js';
import { merged, preferenceGroup } from '../../../preference-group.js';

/** In qBittorrent. */
const NO_LIMIT = -1;

/** The one of qBittorrent; here it is whole minutes, and any payload counts as moving. */
const INACTIVE_DEFAULT_S = 60;
const MINUTE_S = 60;

const limitSchema = z.int().min(NO_LIMIT);

export const queuePreferences = preferenceGroup({
  shown: ({ services }) => {
    const { queueLimits } = services.engineSettings;
    const { max_active_downloads: downloads, max_active_seeds: seeds, stalled_minutes: minutes = 0 } = queueLimits;
    return {
      queueing_enabled: downloads > 0 || seeds > 0,
      max_active_downloads: downloads || NO_LIMIT,
      max_active_uploads: seeds || NO_LIMIT,
      dont_count_slow_torrents: minutes > 0,
      slow_torrent_inactive_timer: minutes * MINUTE_S || INACTIVE_DEFAULT_S,
    };
  },
  wishes: z.object({
    queueing_enabled: z.boolean().optional(),
    max_active_downloads: limitSchema.optional(),
    max_active_uploads: limitSchema.optional(),
    dont_count_slow_torrents: z.boolean().optional(),
    slow_torrent_inactive_timer: z
      .int()
      .min(1)
      .max(MAX_STALLED_MINUTES * MINUTE_S)
      .optional(),
  }),
  prepare: (wish, shown, { services }) => {
    const all = merged(shown, wish);
    const stalled_minutes = all.dont_count_slow_torrents ? Math.ceil(all.slow_torrent_inactive_timer / MINUTE_S) : 0;
    const limitOf = (limit: number) => (all.queueing_enabled ? Math.max(0, limit) : 0);
    return () =>
      services.engineSettings.setQueueLimits({
        max_active_downloads: limitOf(all.max_active_downloads),
        max_active_seeds: limitOf(all.max_active_uploads),
        stalled_minutes,
      });
  },
});
