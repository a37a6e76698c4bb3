// What an account is allowed, in a table of accounts: with how much is used of what the table knows that of.
import { For, Show } from 'solid-js';
import type { AccountQuota } from '../../../../../shared-protocol/dto/accounts.js';
import { bytes } from '../../format/quantities.js';
import { t } from '../../strings/index.js';
import { Gauge } from '../../ui/gauge.jsx';
import { boundsOf, amountText, isNearlyAll } from './bounds.js';
import styles from './quotas.module.css';

export interface AccountQuotaCellProps {
  readonly quota: AccountQuota;
  /** `size`: what all of its torrents come to is what a quota is of. */
  readonly taken: { readonly torrents: number; readonly size: number };
}

export function AccountQuotaCell(props: AccountQuotaCellProps) {
  const others = () =>
    boundsOf(props.quota).flatMap((bound) => (bound === 'bytes' || bound === 'torrents' ? [] : [bound]));
  return (
    <>
      <Show when={props.quota.bytes > 0}>
        <span class={styles['used']} data-bad={isNearlyAll(props.taken.size, props.quota.bytes)}>
          <Gauge share={props.taken.size / props.quota.bytes} />
          {t('quotas.used', { used: bytes(props.taken.size), quota: bytes(props.quota.bytes) })}
        </span>
      </Show>
      <Show when={props.quota.torrents > 0}>
        <span class={styles['used']} data-bad={isNearlyAll(props.taken.torrents, props.quota.torrents)}>
          {t('quotas.torrentsUsed', { used: props.taken.torrents, quota: props.quota.torrents })}
        </span>
      </Show>
      <For each={others()}>
        {(bound) => (
          <span class={styles['used']}>
            {t(`quotas.atMost.${bound}`, { quota: amountText(bound, props.quota[bound]) })}
          </span>
        )}
      </For>
      <Show when={boundsOf(props.quota).length === 0}>
        <span class="muted">{t('quotas.none')}</span>
      </Show>
    </>
  );
}
