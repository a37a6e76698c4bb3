// Which limits hold at this moment, and why. The switch in the bar above asks again each minute.
import { onMount, Show } from 'solid-js';
import type { LimitsInForceDto } from '../../../../../shared-protocol/dto/settings.js';
import { limits, limitsInForce } from '../../state/limits.js';
import { t } from '../../strings/index.js';
import { Facts } from './facts.jsx';
import { rateLimit } from './rate-control.jsx';

export function LimitsNow() {
  onMount(() => void limitsInForce.reload());
  const shown = (pick: (now: LimitsInForceDto) => string) => {
    const now = limitsInForce.value();
    return now ? pick(now) : '';
  };
  return (
    <>
      <Facts
        facts={[
          { name: t('settings.speed.down'), value: <>{shown(({ down_kbps }) => rateLimit(down_kbps))}</> },
          { name: t('settings.speed.up'), value: <>{shown(({ up_kbps }) => rateLimit(up_kbps))}</> },
          { name: t('settings.speed.why'), value: <>{shown(reason)}</> },
        ]}
      />
      <Show when={limitsInForce.error()}>
        <p class="bad" role="alert">
          {limitsInForce.error()}
        </p>
      </Show>
    </>
  );
}

function reason({ source, rule_id }: LimitsInForceDto): string {
  switch (source) {
    case 'rule':
      // The wish for the alternative pair is there still, and would hold but for the rule.
      return limits.value()?.alt_active
        ? t('settings.speed.byRuleOverAlt', { id: String(rule_id ?? '') })
        : t('settings.speed.byRule', { id: String(rule_id ?? '') });
    case 'alt':
      return rule_id === null ? t('settings.speed.byWish') : t('settings.speed.byAltRule', { id: String(rule_id) });
    case 'global':
      return t('settings.speed.byDefault');
  }
}
