// Transmission's one window of the week with alternative limits, which stands for the first of Swarmd's schedule rules that
// asks for those. Other rules are neither shown nor changed. Days have the same bits in both, Sunday the lowest.
import { z } from 'zod';
import { newRuleSchema, type RuleDto } from '../../../../shared-protocol/dto/schedule.js';
import type { AccountContext } from '../../../routes/route.js';
import { merged, preferenceGroup } from '../../preference-group.js';
import { flagSchema } from './fields.js';

/** The window that Transmission begins with: every day from 9 to 17, switched off. */
const NEW_WINDOW = { days_mask: 127, start_min: 9 * 60, end_min: 17 * 60, enabled: false };

const { days_mask: daysSchema, start_min: minuteSchema } = newRuleSchema.shape;

export const scheduleSettings = preferenceGroup({
  shown: (context) => {
    const { days_mask, start_min, end_min, enabled } = ruleOf(context) ?? NEW_WINDOW;
    return {
      alt_speed_time_enabled: enabled,
      alt_speed_time_begin: start_min,
      alt_speed_time_end: end_min,
      alt_speed_time_day: days_mask,
    };
  },
  wishes: z.object({
    alt_speed_time_enabled: flagSchema.optional(),
    alt_speed_time_begin: minuteSchema.optional(),
    alt_speed_time_end: minuteSchema.optional(),
    alt_speed_time_day: daysSchema.optional(),
  }),
  prepare: (wish, shown, context) => {
    const all = merged(shown, wish);
    const wanted = {
      days_mask: all.alt_speed_time_day,
      start_min: all.alt_speed_time_begin,
      end_min: all.alt_speed_time_end,
      enabled: all.alt_speed_time_enabled,
    };
    const { scheduleRules } = context.services;
    const rule = ruleOf(context);
    if (rule) return () => scheduleRules.change({ ...rule, ...wanted });
    return () => scheduleRules.create({ ...wanted, alt_only: true, down_kbps: 0, up_kbps: 0 });
  },
});

function ruleOf({ services }: AccountContext): RuleDto | undefined {
  return services.scheduleRules.all.find(({ alt_only }) => alt_only);
}
