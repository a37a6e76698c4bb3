// The rules one by one, in the order in which they win.
import { Show } from 'solid-js';
import type { RuleDto } from '../../../../../shared-protocol/dto/schedule.js';
import { attempt } from '../../actions/perform.js';
import { call } from '../../net/http.js';
import { t } from '../../strings/index.js';
import { Button } from '../../ui/button.jsx';
import { refusedToSet } from './setting-form.js';
import { daysText, limitsText, timesText } from './week-texts.js';
import { ForKeyed } from '../../ui/for-keyed.jsx';
import lists from './item-list.module.css';
import styles from './schedule.module.css';

export interface RuleListProps {
  readonly rules: readonly RuleDto[] | null;
  readonly holdingId: number | null;
  readonly onOpen: (rule: RuleDto) => void;
  readonly onChanged: () => Promise<void>;
}

export function RuleList(props: RuleListProps) {
  const enable = (rule: RuleDto, enabled: boolean) =>
    attempt(async () => {
      await call('PUT', '/api/schedule_rules', { ...rule, enabled });
      await props.onChanged();
    });
  return (
    <Show when={props.rules?.length !== 0} fallback={<p class="muted">{t('settings.schedule.none')}</p>}>
      <ul class={lists['list']} aria-label={t('settings.schedule.rules')}>
        <ForKeyed each={props.rules} keyOf={({ id }) => id}>
          {(rule) => (
            <li class={lists['item']} data-edge={props.holdingId === rule().id ? 'good' : undefined}>
              <div class={lists['words']} data-off={!rule().enabled}>
                <span class={lists['head']}>
                  <span class={styles['swatch']} data-alt={rule().alt_only}>
                    {rule().id}
                  </span>
                  <strong>{daysText(rule().days_mask)}</strong> {timesText(rule())}
                </span>
                <span class="muted">{limitsText(rule())}</span>
                <Show when={props.holdingId === rule().id}>
                  <span class={styles['holds']}>{t('settings.schedule.holds')}</span>
                </Show>
              </div>
              <div class={lists['tools']}>
                <label class={lists['switch']} title={refusedToSet() ?? undefined}>
                  <input
                    type="checkbox"
                    checked={rule().enabled}
                    disabled={refusedToSet() !== null}
                    aria-label={t('settings.schedule.enableRule', { id: String(rule().id) })}
                    onChange={(event) => void enable(rule(), event.currentTarget.checked)}
                  />
                  {t('settings.schedule.on')}
                </label>
                <Button
                  refused={refusedToSet()}
                  aria-label={t('settings.schedule.editRule', { id: String(rule().id) })}
                  onClick={() => props.onOpen(rule())}
                >
                  {t('settings.edit')}
                </Button>
              </div>
            </li>
          )}
        </ForKeyed>
      </ul>
    </Show>
  );
}
