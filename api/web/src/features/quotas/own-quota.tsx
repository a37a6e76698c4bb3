// What one's own account may have and use, and how much of it is used; nothing where nothing is bounded.
import { createMemo, For, Show } from 'solid-js';
import type { QuotaUsageDto } from '../../../../../shared-protocol/dto/accounts.js';
import { t } from '../../strings/index.js';
import { Gauge } from '../../ui/gauge.jsx';
import { Section } from '../settings/section.jsx';
import { createPolled } from '../../state/polled.js';
import { boundsOf, amountText, isNearlyAll, usedOf, type Bound } from './bounds.js';
import styles from './quotas.module.css';

export function OwnQuota() {
  const usage = createPolled<QuotaUsageDto>(() => '/api/quota');
  return (
    <Show when={usage()}>
      {(known) => (
        <Show when={boundsOf(known().quota).length > 0}>
          <Section title={t('quotas.title')}>
            <dl class={styles['bounds']}>
              <For each={boundsOf(known().quota)}>{(bound) => <Used bound={bound} usage={known()} />}</For>
            </dl>
          </Section>
        </Show>
      )}
    </Show>
  );
}

function Used(props: { readonly bound: Bound; readonly usage: QuotaUsageDto }) {
  const allowed = () => props.usage.quota[props.bound];
  const used = createMemo(() => usedOf(props.bound, props.usage.used));
  const words = () => {
    const quota = amountText(props.bound, allowed());
    const amount = used();
    if (amount === null) return t('quotas.upTo', { quota });
    const shown = amountText(props.bound, amount);
    return t(props.bound === 'up_bytes_month' ? 'quotas.usedThisMonth' : 'quotas.used', { used: shown, quota });
  };
  return (
    <div class={styles['bound']} data-bad={isNearlyAll(used() ?? 0, allowed())}>
      <dt>{t(`quotas.bound.${props.bound}`)}</dt>
      <dd class={styles['words']}>{words()}</dd>
      <Show when={used() !== null}>
        <dd class={styles['bar']} aria-hidden="true">
          <Gauge share={(used() ?? 0) / allowed()} />
        </dd>
      </Show>
    </div>
  );
}
