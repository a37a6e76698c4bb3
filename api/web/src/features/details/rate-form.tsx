// The rate limits of one torrent.
import { createSignal } from 'solid-js';
import type { KbpsPair } from '../../../../../shared-protocol/dto/torrents.js';
import { ApiError, call } from '../../net/http.js';
import { t } from '../../strings/index.js';
import { Button } from '../../ui/button.jsx';
import { Field } from '../../ui/field.jsx';
import { showNote } from '../../ui/toasts.jsx';
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
  const [error, setError] = createSignal<string | null>(null);
  const save = async () => {
    const [downLimit, upLimit] = [readWhole(down()), readWhole(up())];
    if (downLimit.kind !== 'limit' || upLimit.kind !== 'limit') return;
    try {
      await call('PUT', props.path, { down_kbps: downLimit.limit ?? 0, up_kbps: upLimit.limit ?? 0 });
      setError(null);
      showNote({ look: 'good', text: t('details.limits.saved') });
    } catch (thrown) {
      if (!(thrown instanceof ApiError)) throw thrown;
      setError(thrown.message);
    }
  };
  const problemOf = (text: string) => {
    const { kind } = readWhole(text);
    return kind === 'limit' ? null : t(`details.limits.${kind}`);
  };
  return (
    <form
      class={styles['form']}
      onSubmit={(event) => {
        event.preventDefault();
        void save();
      }}
    >
      <h3>{t('details.limits.rates')}</h3>
      <div class={styles['row']}>
        <Field label={t('details.limits.down')} error={problemOf(down())}>
          {(control) => (
            <input
              {...control}
              inputmode="numeric"
              disabled={props.refused !== null}
              value={down()}
              onInput={(event) => setDown(event.currentTarget.value)}
            />
          )}
        </Field>
        <Field label={t('details.limits.up')} error={problemOf(up())}>
          {(control) => (
            <input
              {...control}
              inputmode="numeric"
              disabled={props.refused !== null}
              value={up()}
              onInput={(event) => setUp(event.currentTarget.value)}
            />
          )}
        </Field>
      </div>
      <p class="muted">{t('details.limits.ratesHelp')}</p>
      <div class={styles['foot']}>
        <Button type="submit" refused={props.refused}>
          {t('common.save')}
        </Button>
        <span class={styles['error']} role="alert">
          {error()}
        </span>
      </div>
    </form>
  );
}
