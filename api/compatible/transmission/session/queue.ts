// How many torrents run at a time, and for how long without payload they are counted: what is switched off is none.
import { z } from 'zod';
import { countSchema } from '../../../../shared-protocol/dto/fields.js';
import { stalledMinutesSchema } from '../../../../shared-protocol/dto/settings.js';
import { merged, preferenceGroup } from '../../preference-group.js';
import { flagSchema, limitAbove0 } from './fields.js';

export const queueSettings = preferenceGroup({
  shown: ({ services }) => {
    const { max_active_downloads, max_active_seeds, stalled_minutes = 0 } = services.engineSettings.queueLimits;
    return {
      download_queue_enabled: max_active_downloads > 0,
      download_queue_size: max_active_downloads,
      seed_queue_enabled: max_active_seeds > 0,
      seed_queue_size: max_active_seeds,
      queue_stalled_enabled: stalled_minutes > 0,
      queue_stalled_minutes: stalled_minutes,
    };
  },
  wishes: z.object({
    download_queue_enabled: flagSchema.optional(),
    download_queue_size: countSchema.optional(),
    seed_queue_enabled: flagSchema.optional(),
    seed_queue_size: countSchema.optional(),
    queue_stalled_enabled: flagSchema.optional(),
    queue_stalled_minutes: stalledMinutesSchema.optional(),
  }),
  prepare: (wish, shown, { services }) => {
    const all = merged(shown, wish);
    const limitOf = (name: 'download_queue' | 'seed_queue') =>
      all[`${name}_enabled`] ? limitAbove0(`${name}_size`, all[`${name}_size`]) : 0;
    const { queue_stalled_enabled: leavesOut, queue_stalled_minutes: minutes } = all;
    const limits = {
      max_active_downloads: limitOf('download_queue'),
      max_active_seeds: limitOf('seed_queue'),
      stalled_minutes: leavesOut ? limitAbove0('queue_stalled_minutes', minutes) : 0,
    };
    return () => services.engineSettings.setQueueLimits(limits);
  },
});
