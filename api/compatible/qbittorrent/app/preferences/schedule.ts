// qBittorrent's one window of the week with alternative limits, which stands for the first of Swarmd's schedule rules that
// asks for those and whose days qBittorrent can name. Other rules are neither shown nor changed.
import { z } from 'zod';
import type { RuleDto } from '../../../../../shared-protocol/dto/schedule.js';
import type { AccountContext } from '../../../../routes/route.js';
import { merged, preferenceGroup } from '../../../preference-group.js';

/** By qBittorrent's number: every day, weekdays, the weekend, Monday to Sunday. Bit 0 is Sunday. */
const DAYS_MASKS = [0b111_1111, 0b011_1110, 0b100_0001, 2, 4, 8, 16, 32, 64, 1];
const HOUR_MIN = 60;
/** The window that qBittorrent begins with. */
const NEW_RULE = { days_mask: 0b111_1111, start_min: 8 * HOUR_MIN, end_min: 20 * HOUR_MIN, enabled: false };

const hourSchema = z.int().min(0).max(23);
const minuteSchema = z.int().min(0).max(59);

export const schedulePreferences = preferenceGroup({
  shown: (context) => {
    const { days_mask, start_min, end_min, enabled } = ruleOf(context) ?? NEW_RULE;
    return {
      scheduler_enabled: enabled,
      schedule_from_hour: Math.floor(start_min / HOUR_MIN),
      schedule_from_min: start_min % HOUR_MIN,
      schedule_to_hour: Math.floor(end_min / HOUR_MIN),
      schedule_to_min: end_min % HOUR_MIN,
      scheduler_days: DAYS_MASKS.indexOf(days_mask),
    };
  },
  wishes: z.object({
    scheduler_enabled: z.boolean().optional(),
    schedule_from_hour: hourSchema.optional(),
    schedule_from_min: minuteSchema.optional(),
    schedule_to_hour: hourSchema.optional(),
    schedule_to_min: minuteSchema.optional(),
    scheduler_days: z
      .int()
      .min(0)
      .max(DAYS_MASKS.length - 1)
      .optional(),
  }),
  prepare: (wish, shown, context) => {
    const all = merged(shown, wish);
    const wanted = {
      days_mask: DAYS_MASKS[all.scheduler_days] ?? NEW_RULE.days_mask,
      start_min: all.schedule_from_hour * HOUR_MIN + all.schedule_from_min,
      end_min: all.schedule_to_hour * HOUR_MIN + all.schedule_to_min,
      enabled: all.scheduler_enabled,
    };
    const { scheduleRules } = context.services;
    const rule = ruleOf(context);
    if (rule) return () => scheduleRules.change({ ...rule, ...wanted });
    return () => scheduleRules.create({ ...wanted, alt_only: true, down_kbps: 0, up_kbps: 0 });
  },
});

function ruleOf({ services }: AccountContext): RuleDto | undefined {
  return services.scheduleRules.all.find(({ alt_only, days_mask }) => alt_only && DAYS_MASKS.includes(days_mask));
}
