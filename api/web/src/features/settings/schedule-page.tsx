// Other speed limits at certain times of the week: the week as it will go, and the rules that make it so.
import { createMemo, createSignal, Show } from 'solid-js';
import type { RuleDto } from '../../../../../shared-protocol/dto/schedule.js';
import { limitsInForce } from '../../state/limits.js';
import { createFetched } from '../../state/fetched.js';
import { t } from '../../strings/index.js';
import { Button } from '../../ui/button.jsx';
import { LimitsNow } from './limits-now.jsx';
import { RuleDialog, type RuleDraft } from './rule-dialog.jsx';
import { RuleList } from './rule-list.jsx';
import { Section } from './section.jsx';
import { refusedToSet } from './setting-form.js';
import { WeekGrid } from './week-grid.jsx';
import { weekSegments } from './week-model.js';
import styles from './schedule.module.css';

/** A rule as it is begun with the button. */
const WORKING_HOURS = { days_mask: 0b0111110, start_min: 9 * 60, end_min: 17 * 60 };

export default function SchedulePage() {
  const rules = createFetched<readonly RuleDto[]>('/api/schedule_rules');
  const [edited, setEdited] = createSignal<RuleDraft | null>(null);
  const segments = createMemo(() => weekSegments(rules.value() ?? []));
  const holdingId = () => limitsInForce.value()?.rule_id ?? null;
  const begin = (window: Pick<RuleDto, 'days_mask' | 'start_min' | 'end_min'>) =>
    setEdited({ id: null, ...window, down_kbps: 0, up_kbps: 0, alt_only: true, enabled: true });
  const reload = async () => {
    await Promise.all([rules.reload(), limitsInForce.reload()]);
  };
  return (
    <>
      <Section isWide title={t('settings.schedule.now')}>
        <LimitsNow />
      </Section>
      <Section isWide about={refusedToSet() ?? t('settings.schedule.how')}>
        <div class={styles['columns']}>
          <WeekGrid
            segments={segments()}
            holdingId={holdingId()}
            isFixed={refusedToSet() !== null}
            onPainted={begin}
            onOpen={setEdited}
          />
          <div class={styles['beside']}>
            <div class={styles['head']}>
              <h2>{t('settings.schedule.rules')}</h2>
              <Button refused={refusedToSet()} onClick={() => begin(WORKING_HOURS)}>
                {t('settings.schedule.add')}
              </Button>
            </div>
            <Show when={rules.error()}>
              <p role="alert">{rules.error()}</p>
            </Show>
            <RuleList rules={rules.value()} holdingId={holdingId()} onOpen={setEdited} onChanged={reload} />
            <p class="muted">{t('settings.schedule.serverTime')}</p>
          </div>
        </div>
      </Section>
      <RuleDialog rule={edited()} onClose={() => setEdited(null)} onChanged={reload} />
    </>
  );
}
