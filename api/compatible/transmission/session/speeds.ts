// Limits of speed over all torrents, in KiB per second (`units` of session-get), and the alternative ones.
import { z } from 'zod';
import type { LimitsDto } from '../../../../shared-protocol/dto/settings.js';
import { merged, preferenceGroup } from '../../preference-group.js';
import { flagSchema, limitAbove0 } from './fields.js';

/** So that it fits as bytes per second. */
const MAX_KBPS = 2 ** 40;

/** Rounded up: down to 0 it would be no limit. */
const kbpsSchema = z.number().min(0).max(MAX_KBPS).overwrite(Math.ceil);

export const speedSettings = preferenceGroup({
  shown: ({ services: { speedLimits } }) => {
    const { down_kbps, up_kbps, alt_down_kbps, alt_up_kbps, alt_active } = speedLimits.stored;
    return {
      speed_limit_down: down_kbps,
      speed_limit_down_enabled: down_kbps > 0,
      speed_limit_up: up_kbps,
      speed_limit_up_enabled: up_kbps > 0,
      alt_speed_down: alt_down_kbps,
      alt_speed_up: alt_up_kbps,
      /** By wish, or by a rule of the schedule. */
      alt_speed_enabled: alt_active || speedLimits.inForce.source === 'alt',
    };
  },
  wishes: z.object({
    speed_limit_down: kbpsSchema.optional(),
    speed_limit_down_enabled: flagSchema.optional(),
    speed_limit_up: kbpsSchema.optional(),
    speed_limit_up_enabled: flagSchema.optional(),
    alt_speed_down: kbpsSchema.optional(),
    alt_speed_up: kbpsSchema.optional(),
    alt_speed_enabled: flagSchema.optional(),
  }),
  prepare: (wish, shown, { services }) => {
    const all = merged(shown, wish);
    // A number alone changes nothing while it is switched off.
    const limitOf = (name: 'speed_limit_down' | 'speed_limit_up') =>
      all[`${name}_enabled`] ? limitAbove0(name, all[name]) : 0;
    const altOf = (name: 'alt_speed_down' | 'alt_speed_up') =>
      all[name] === shown[name] ? all[name] : limitAbove0(name, all[name]);
    const wanted: Omit<LimitsDto, 'alt_active'> = {
      down_kbps: limitOf('speed_limit_down'),
      up_kbps: limitOf('speed_limit_up'),
      alt_down_kbps: altOf('alt_speed_down'),
      alt_up_kbps: altOf('alt_speed_up'),
    };
    const isSwitched = all.alt_speed_enabled !== shown.alt_speed_enabled;
    return () =>
      services.speedLimits.edit(({ alt_active }) => ({
        ...wanted,
        alt_active: isSwitched ? all.alt_speed_enabled : alt_active,
      }));
  },
});
