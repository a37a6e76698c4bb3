// Torrents that are being made, with how far they are, and those that were made: to be saved, or forgotten.
import { Index, Show } from 'solid-js';
import type { CreationDto } from '../../../../../shared-protocol/dto/creations.js';
import { inert, percent } from '../../format/quantities.js';
import { worded } from '../../net/worded.js';
import { t } from '../../strings/index.js';
import { Button } from '../../ui/button.jsx';
import styles from './verbs.module.css';

export interface CreationsProps {
  readonly of: readonly CreationDto[];
  readonly onSave: (id: number) => void;
  readonly onForget: (id: number) => void;
}

export function Creations(props: CreationsProps) {
  return (
    <Show when={props.of.length > 0}>
      <h3>{t('verbs.create.list')}</h3>
      <ul class={styles['rows']} aria-label={t('verbs.create.list')}>
        <Index each={props.of}>
          {(creation) => {
            const path = () => inert(creation().path);
            const part = () => (creation().bytes_total === 0 ? 0 : creation().bytes_done / creation().bytes_total);
            const isOver = () => creation().state === 'done' || creation().state === 'failed';
            return (
              <li>
                <span class={styles['words']}>
                  {path()}
                  <br />
                  <span class="muted">
                    {t(`verbs.create.state.${creation().state}`, { percent: percent(part()) })}
                  </span>{' '}
                  <Show when={creation().error}>
                    {(error) => <span class={styles['error']}>{inert(worded(error(), creation().reason ?? {}))}</span>}
                  </Show>
                  <Show when={!isOver()}>
                    <progress value={part()} max={1} aria-label={path()} />
                  </Show>
                </span>
                <Show when={creation().state === 'done'}>
                  <Button
                    aria-label={t('verbs.create.saveOne', { path: path() })}
                    onClick={() => props.onSave(creation().id)}
                  >
                    {t('verbs.create.save')}
                  </Button>
                </Show>
                <Button
                  look="quiet"
                  aria-label={t(isOver() ? 'verbs.create.forgetOne' : 'verbs.create.stopOne', { path: path() })}
                  onClick={() => props.onForget(creation().id)}
                >
                  {t(isOver() ? 'verbs.create.forget' : 'verbs.create.stop')}
                </Button>
              </li>
            );
          }}
        </Index>
      </ul>
    </Show>
  );
}
