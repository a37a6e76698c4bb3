// Which limits hold over all torrents (docs/semantics.md section 8): those of a rule whose window it is, else the
// alternative ones where the user or a rule wants them, else the global ones. Of several rules the lowest id wins.
// Nothing is written back: the stored toggle is the user's alone.
import type { RuleDto } from '../../../shared-protocol/dto/schedule.js';
import type { LimitsDto, LimitsInForceDto } from '../../../shared-protocol/dto/settings.js';
import { isWithin, type WeekMinute } from './schedule-window.js';

export type LimitsInForce = Omit<LimitsInForceDto, 'now'>;

/** `rules` by ascending id. */
export function limitsInForce(limits: LimitsDto, rules: readonly RuleDto[], now: WeekMinute): LimitsInForce {
  const holding = rules.filter((rule) => rule.enabled && isWithin(rule, now));
  const rule = holding.find(({ alt_only }) => !alt_only);
  if (rule) return { source: 'rule', rule_id: rule.id, down_kbps: rule.down_kbps, up_kbps: rule.up_kbps };
  const { alt_down_kbps, alt_up_kbps, down_kbps, up_kbps } = limits;
  const altRule = limits.alt_active ? undefined : holding[0];
  if (!limits.alt_active && !altRule) return { source: 'global', rule_id: null, down_kbps, up_kbps };
  return { source: 'alt', rule_id: altRule?.id ?? null, down_kbps: alt_down_kbps, up_kbps: alt_up_kbps };
}
