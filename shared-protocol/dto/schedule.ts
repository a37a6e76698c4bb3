// docs/api.md: schedule rules.
import { z } from 'zod';
import { idSchema, kbpsSchema } from './fields.js';

const minuteSchema = z.int().min(0).max(1439);

export const newRuleSchema = z.object({
  /** Bit 0 is Sunday, bit 6 Saturday; the day a window starts on. */
  days_mask: z.int().min(0).max(127),
  /** Minutes since midnight. */
  start_min: minuteSchema,
  /** Less than the start: the window goes on after midnight. The same: 24 hours. */
  end_min: minuteSchema,
  down_kbps: kbpsSchema,
  up_kbps: kbpsSchema,
  alt_only: z.boolean(),
  enabled: z.boolean(),
});
export const ruleSchema = newRuleSchema.extend({ id: idSchema }).meta({ id: 'ScheduleRuleDTO' });
export type RuleDto = Readonly<z.infer<typeof ruleSchema>>;
export const ruleListSchema = z.array(ruleSchema);
