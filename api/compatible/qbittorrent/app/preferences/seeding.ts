// When torrents have seeded enough, unless they or their category or tracker say otherwise, and what is done with them then.
import { z } from 'zod';
import type { SeedingAction } from '../../../../../shared-protocol/library-record.js';
import { merged, preferenceGroup } from '../../../preference-group.js';

/** Limits that are not there; in minutes, as the two of time are. */
const NONE = -1;

/** An action that qBittorrent has no number for leaves the torrent where it is, as a pause does. */
const ACTION_NUMBERS: Readonly<Record<SeedingAction, number>> = {
  pause: 0,
  tag: 0,
  remove: 1,
  super_seed: 2,
  remove_with_data: 3,
};
const ACTIONS: ReadonlyMap<number, SeedingAction> = new Map([
  [0, 'pause'],
  [1, 'remove'],
  [2, 'super_seed'],
  [3, 'remove_with_data'],
]);

const minutesSchema = z.int().min(NONE);

export const seedingPreferences = preferenceGroup({
  shown: ({ services }) => {
    const { ratio_limit, time_min_limit, inactive_min_limit, action } = services.seedingRules.defaults;
    return {
      max_ratio_enabled: ratio_limit !== null,
      max_ratio: ratio_limit ?? NONE,
      max_seeding_time_enabled: time_min_limit !== null,
      max_seeding_time: time_min_limit ?? NONE,
      max_inactive_seeding_time_enabled: inactive_min_limit !== null,
      max_inactive_seeding_time: inactive_min_limit ?? NONE,
      max_ratio_act: ACTION_NUMBERS[action],
    };
  },
  wishes: z.object({
    max_ratio_enabled: z.boolean().optional(),
    max_ratio: z.number().min(NONE).max(1_000_000).optional(),
    max_seeding_time_enabled: z.boolean().optional(),
    max_seeding_time: minutesSchema.optional(),
    max_inactive_seeding_time_enabled: z.boolean().optional(),
    max_inactive_seeding_time: minutesSchema.optional(),
    max_ratio_act: z.int().min(0).max(3).optional(),
  }),
  prepare: (wish, shown, { services, principal }) => {
    const { action, tag_id } = services.seedingRules.defaults;
    const all = merged(shown, wish);
    // As in qBittorrent, a limit counts by its switch.
    const limitOf = (isOn: boolean, limit: number) => (isOn && limit >= 0 ? limit : null);
    const isSameAction = all.max_ratio_act === shown.max_ratio_act;
    const rule = {
      ratio_limit: limitOf(all.max_ratio_enabled, all.max_ratio),
      time_min_limit: limitOf(all.max_seeding_time_enabled, all.max_seeding_time),
      inactive_min_limit: limitOf(all.max_inactive_seeding_time_enabled, all.max_inactive_seeding_time),
      action: isSameAction ? action : (ACTIONS.get(all.max_ratio_act) ?? action),
      ...(isSameAction && tag_id !== undefined && { tag_id }),
    };
    return () => services.seedingRules.setDefaults(principal.account, rule);
  },
});
