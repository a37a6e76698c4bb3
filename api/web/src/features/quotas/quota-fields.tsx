// What an account may have and use, for who sets it; folded away where nothing is set.
import { createEffect, For, untrack } from 'solid-js';
import type { AccountQuota } from '../../../../../shared-protocol/dto/accounts.js';
import { t } from '../../strings/index.js';
import { TextControl } from '../settings/controls.jsx';
import type { Form } from '../settings/create-form.js';
import { RateControl } from '../settings/rate-control.jsx';
import { SizeControl } from '../settings/size-control.jsx';
import { BOUNDS, type Bound } from './bounds.js';
import styles from './quotas.module.css';

export interface QuotaFieldsProps<Values extends AccountQuota> {
  readonly form: Form<Values>;
}

export function QuotaFields<Values extends AccountQuota>(props: QuotaFieldsProps<Values>) {
  let group!: HTMLDetailsElement;
  const isWrong = () => BOUNDS.some((bound) => props.form.problemOf(bound) !== null);
  const isSet = (bound: Bound) => !['', '0'].includes(String(props.form.typed(bound)).trim());
  const isBegun = untrack(() => BOUNDS.some(isSet));
  const showWhatIsWrong = () => {
    if (isWrong()) group.open = true;
  };
  createEffect(showWhatIsWrong);
  return (
    <details ref={group} class={styles['group']} open={isBegun} onToggle={showWhatIsWrong}>
      <summary>{t('quotas.title')}</summary>
      <p class="muted">{t('quotas.about')}</p>
      <div class={styles['fields']}>
        <SizeControl form={props.form} name="bytes" label={t('quotas.bound.bytes')} />
        <SizeControl form={props.form} name="up_bytes_month" label={t('quotas.bound.up_bytes_month')} />
        <For each={['torrents', 'active'] as const}>
          {(bound) => (
            <TextControl
              form={props.form}
              name={bound}
              kind="number"
              label={t(`quotas.bound.${bound}`)}
              help={isSet(bound) ? '' : t('settings.speed.none')}
            />
          )}
        </For>
        <RateControl form={props.form} name="down_kbps" label={t('quotas.bound.down_kbps')} />
        <RateControl form={props.form} name="up_kbps" label={t('quotas.bound.up_kbps')} />
      </div>
    </details>
  );
}
