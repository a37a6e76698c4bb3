// When torrents have seeded enough, unless they or their category or tracker say otherwise. The idle limit is minutes of
// seeding, here as of each torrent (docs/compatible.md).
import { z } from 'zod';
import { RequestError } from '../../../errors.js';
import { merged, preferenceGroup } from '../../preference-group.js';
import { flagSchema } from './fields.js';

/** No spec value. */
const MAX_LIMIT = 1_000_000_000;

export const seedingSettings = preferenceGroup({
  shown: ({ services }) => {
    const { ratio_limit, time_min_limit } = services.seedingRules.defaults;
    return {
      seed_ratio_limited: ratio_limit !== null,
      seed_ratio_limit: ratio_limit ?? 0,
      idle_seeding_limit_enabled: time_min_limit !== null,
      idle_seeding_limit: time_min_limit ?? 0,
    };
  },
  wishes: z.object({
    seed_ratio_limited: flagSchema.optional(),
    seed_ratio_limit: z.number().min(0).max(MAX_LIMIT).optional(),
    idle_seeding_limit_enabled: flagSchema.optional(),
    idle_seeding_limit: z.int().min(0).max(MAX_LIMIT).optional(),
  }),
  prepare: (wish, shown, { services, principal }) => {
    const all = merged(shown, wish);
    const limitOf = (isOn: boolean, wasOn: boolean, name: 'seed_ratio_limit' | 'idle_seeding_limit') => {
      if (isOn && !wasOn && wish[name] === undefined) throw new RequestError('BODY_INVALID', `${name}: required`);
      return isOn ? all[name] : null;
    };
    const limits = {
      ratio_limit: limitOf(all.seed_ratio_limited, shown.seed_ratio_limited, 'seed_ratio_limit'),
      time_min_limit: limitOf(all.idle_seeding_limit_enabled, shown.idle_seeding_limit_enabled, 'idle_seeding_limit'),
    };
    services.seedingRules.admitChange(principal.account);
    return () => services.seedingRules.setDefaultLimits(principal.account, limits);
  },
});
