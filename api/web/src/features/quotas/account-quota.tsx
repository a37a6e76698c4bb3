// What an account is allowed, in a table of accounts, with how much is used of it. What the table does not know is asked for.
import { createMemo, For, Show } from 'solid-js';
import type { QuotaUsageDto, UserDto } from '../../../../../shared-protocol/dto/accounts.js';
import { bytes } from '../../format/quantities.js';
import { t } from '../../strings/index.js';
import { Gauge } from '../../ui/gauge.jsx';
import { createPolled } from '../../state/polled.js';
import { amountText, boundsOf, isBounded, isNearlyAll, usedOf, type Bound } from './bounds.js';
import styles from './quotas.module.css';

export interface AccountQuotaCellProps {
  readonly user: UserDto;
  /** `size`: what all of its torrents come to is what a quota is of. */
  readonly taken: { readonly torrents: number; readonly size: number };
}

type Other = Exclude<Bound, 'bytes' | 'torrents'>;

export function AccountQuotaCell(props: AccountQuotaCellProps) {
  const quota = () => props.user.quota;
  return (
    <Show when={isBounded(props.user)} fallback={<span class="muted">{t('quotas.none')}</span>}>
      <Show when={quota().bytes > 0}>
        <span class={styles['used']} data-bad={isNearlyAll(props.taken.size, quota().bytes)}>
          <Gauge share={props.taken.size / quota().bytes} />
          {t('quotas.used', { used: bytes(props.taken.size), quota: bytes(quota().bytes) })}
        </span>
      </Show>
      <Show when={quota().torrents > 0}>
        <span class={styles['used']} data-bad={isNearlyAll(props.taken.torrents, quota().torrents)}>
          {t('quotas.torrentsUsed', { used: props.taken.torrents, quota: quota().torrents })}
        </span>
      </Show>
      <Others user={props.user} />
    </Show>
  );
}

function Others(props: { readonly user: UserDto }) {
  const bounds = () =>
    boundsOf(props.user.quota).filter((bound): bound is Other => bound !== 'bytes' && bound !== 'torrents');
  const path = createMemo(() =>
    bounds().some((bound) => bound === 'active' || bound === 'up_bytes_month')
      ? `/api/quota?account=${props.user.id}`
      : null,
  );
  const usage = createPolled<QuotaUsageDto>(path);
  const used = (bound: Other) => {
    const known = usage();
    return known && usedOf(bound, known.used);
  };
  const words = (bound: Other) => {
    const [amount, quota] = [used(bound), amountText(bound, props.user.quota[bound])];
    if (amount === null || bound === 'down_kbps' || bound === 'up_kbps') return t(`quotas.atMost.${bound}`, { quota });
    return t(`quotas.ofAccount.${bound}`, { used: amountText(bound, amount), quota });
  };
  return (
    <For each={bounds()}>
      {(bound) => (
        <span class={styles['used']} data-bad={isNearlyAll(used(bound) ?? 0, props.user.quota[bound])}>
          {words(bound)}
        </span>
      )}
    </For>
  );
}
