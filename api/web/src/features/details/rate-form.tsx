// The rate limits of one torrent.
import { createSignal } from 'solid-js';
import type { KbpsPair } from '../../../../../shared-protocol/dto/torrents.js';
import { call } from '../../net/http.js';
import { t } from '../../strings/index.js';
import { LimitField, LimitForm } from './limit-form.jsx';
import { readWhole } from './limit-numbers.js';
import styles from './forms.module.css';

export interface RateFormProps {
  readonly path: string;
  readonly now: KbpsPair;
  readonly refused: string | null;
}

export function RateForm(props: RateFormProps) {
  const [down, setDown] = createSignal(String(props.now.down_kbps));
  const [up, setUp] = createSignal(String(props.now.up_kbps));
  const save = () => {
    const [downLimit, upLimit] = [readWhole(down()), readWhole(up())];
    if (downLimit.kind !== 'limit' || upLimit.kind !== 'limit') return null;
    return call('PUT', props.path, { down_kbps: downLimit.limit ?? 0, up_kbps: upLimit.limit ?? 0 });
  };
  return (
    <LimitForm refused={props.refused} save={save}>
      <h3>{t('details.limits.rates')}</h3>
      <div class={styles['row']}>
        <LimitField
          label={t('details.limits.down')}
          inputmode="numeric"
          text={down()}
          typed={readWhole(down())}
          isDisabled={props.refused !== null}
          onText={setDown}
        />
        <LimitField
          label={t('details.limits.up')}
          inputmode="numeric"
          text={up()}
          typed={readWhole(up())}
          isDisabled={props.refused !== null}
          onText={setUp}
        />
      </div>
      <p class="muted">{t('details.limits.ratesHelp')}</p>
    </LimitForm>
  );
}
