// How many torrents run at a time. Swarmd has no switch for it: without a limit nothing is held back, so that turning the
// queue off takes the limits away. A limit for downloads and seeds together there is none of.
import { z } from 'zod';
import { merged, preferenceGroup } from '../../../preference-group.js';

/** In qBittorrent. */
const NO_LIMIT = -1;

const limitSchema = z.int().min(NO_LIMIT);

export const queuePreferences = preferenceGroup({
  shown: ({ services }) => {
    const { max_active_downloads: downloads, max_active_seeds: seeds } = services.engineSettings.queueLimits;
    return {
      queueing_enabled: downloads > 0 || seeds > 0,
      max_active_downloads: downloads || NO_LIMIT,
      max_active_uploads: seeds || NO_LIMIT,
    };
  },
  wishes: z.object({
    queueing_enabled: z.boolean().optional(),
    max_active_downloads: limitSchema.optional(),
    max_active_uploads: limitSchema.optional(),
  }),
  prepare: (wish, shown, { services }) => {
    const { queueing_enabled, max_active_downloads, max_active_uploads } = merged(shown, wish);
    if (!queueing_enabled && !shown.queueing_enabled) return null;
    const limitOf = (limit: number) => (queueing_enabled ? Math.max(0, limit) : 0);
    return () =>
      services.engineSettings.setQueueLimits({
        max_active_downloads: limitOf(max_active_downloads),
        max_active_seeds: limitOf(max_active_uploads),
      });
  },
});
