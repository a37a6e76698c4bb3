// The rules of the account in the order in which they are judged: on and off, up and down, made, changed and deleted; what
// each did, and the way on for one that stopped itself.
import { createSignal, onCleanup, onMount, Show } from 'solid-js';
import type { AutomationChange, AutomationDto } from '../../../../../shared-protocol/dto/automations.js';
import { attempt } from '../../actions/perform.js';
import { inert } from '../../format/quantities.js';
import { call } from '../../net/http.js';
import { categories, tags } from '../../state/labels.js';
import { createFetched } from '../../state/fetched.js';
import { me } from '../../state/session.js';
import { t } from '../../strings/index.js';
import { Button } from '../../ui/button.jsx';
import { Dialog } from '../../ui/dialog.jsx';
import { ForKeyed } from '../../ui/for-keyed.jsx';
import { Icon } from '../../ui/icons.jsx';
import { ConfirmDialog } from '../settings/confirm-dialog.jsx';
import lists from '../settings/item-list.module.css';
import { Section } from '../settings/section.jsx';
import { HistoryDialog } from './history-dialog.jsx';
import { OthersRules } from './others-rules.jsx';
import { RuleForm } from './rule-form.jsx';
import { RuleItem } from './rule-item.jsx';
import { MAX_RULES } from './said.js';

const PATH = '/api/automations';
/** Rules act, and stop themselves, while one looks. */
const LOOK_AGAIN_MS = 5_000;

export default function AutomationsPage() {
  const rules = createFetched<readonly AutomationDto[]>(PATH);
  const [edited, setEdited] = createSignal<AutomationDto | 'new' | null>(null);
  const [leaving, setLeaving] = createSignal<AutomationDto | null>(null);
  const [looked, setLooked] = createSignal<AutomationDto | null>(null);
  // Others may have changed them since they were first read.
  onMount(() => void Promise.all([categories.reload(), tags.reload()]));
  const timer = setInterval(() => void rules.reload(), LOOK_AGAIN_MS);
  onCleanup(() => clearInterval(timer));
  const full = () => ((rules.value()?.length ?? 0) >= MAX_RULES ? t('automations.full', { max: MAX_RULES }) : null);
  const change = (id: number, body: AutomationChange) =>
    attempt(async () => {
      await call('PUT', `${PATH}/${id}`, body);
      await rules.reload();
    });
  const remove = async (rule: AutomationDto) => {
    setLeaving(null);
    setEdited(null);
    await attempt(() => call('DELETE', `${PATH}/${rule.id}`));
    await rules.reload();
  };
  const rule = () => {
    const now = edited();
    return now === 'new' ? null : now;
  };
  return (
    <>
      <Section isWide about={t('automations.about')}>
        <Show when={rules.error()}>
          <p role="alert" class="bad">
            {rules.error()}
          </p>
        </Show>
        <Rules rules={rules.value()} onChange={change} onEdit={setEdited} onHistory={setLooked} />
        <div>
          <Button look="primary" refused={full()} disabled={rules.value() === null} onClick={() => setEdited('new')}>
            {t('automations.add')}
          </Button>
        </div>
      </Section>
      <Show when={me().role === 'admin'}>
        <OthersRules />
      </Show>
      <Dialog
        size="large"
        title={t(rule() ? 'automations.editTitle' : 'automations.newTitle')}
        isOpen={edited() !== null}
        onClose={() => setEdited(null)}
      >
        <Show when={edited()} keyed>
          <RuleForm
            rule={rule()}
            onClose={() => setEdited(null)}
            onChanged={rules.reload}
            onDelete={() => setLeaving(rule())}
          />
        </Show>
      </Dialog>
      <ConfirmDialog
        title={t('automations.deleteTitle', { name: inert(leaving()?.name ?? '') })}
        text={t('automations.deleteText')}
        confirm={t('automations.delete')}
        isOpen={leaving() !== null}
        onClose={() => setLeaving(null)}
        onConfirm={() => void remove(leaving()!)}
      />
      <HistoryDialog rule={looked()} onClose={() => setLooked(null)} />
    </>
  );
}

interface RulesProps {
  readonly rules: readonly AutomationDto[] | null;
  readonly onChange: (id: number, change: AutomationChange) => Promise<unknown>;
  readonly onEdit: (rule: AutomationDto) => void;
  readonly onHistory: (rule: AutomationDto) => void;
}

function Rules(props: RulesProps) {
  let list!: HTMLUListElement;
  const move = async (id: number, position: number, button: 'up' | 'down') => {
    await props.onChange(id, { position });
    // A row that is put elsewhere has lost the focus.
    list.querySelector<HTMLElement>(`[data-rule="${id}"] [data-move="${button}"]`)?.focus();
  };
  const enable = async (id: number, box: HTMLInputElement) => {
    await props.onChange(id, { enabled: box.checked });
    // As it is, where it was refused.
    box.checked = props.rules?.find((rule) => rule.id === id)?.enabled ?? false;
  };
  return (
    <Show when={props.rules?.length !== 0} fallback={<p class="muted">{t('automations.none')}</p>}>
      <ul ref={list} class={lists['list']} aria-label={t('automations.list')}>
        <ForKeyed each={props.rules} keyOf={({ id }) => id}>
          {(rule, place) => (
            <RuleItem rule={rule()} onHistory={() => props.onHistory(rule())}>
              <label class={lists['switch']}>
                <input
                  type="checkbox"
                  checked={rule().enabled}
                  aria-label={t('automations.enable', { name: inert(rule().name) })}
                  onChange={(event) => void enable(rule().id, event.currentTarget)}
                />
                {t('automations.on')}
              </label>
              <Show when={rule().held}>
                <Button
                  aria-label={t('automations.goOnOf', { name: inert(rule().name) })}
                  onClick={() => void props.onChange(rule().id, { enabled: true })}
                >
                  {t('automations.goOn')}
                </Button>
              </Show>
              <Button
                data-move="up"
                aria-label={t('automations.moveUp', { name: inert(rule().name) })}
                refused={place() === 0 ? t('automations.isFirst') : null}
                onClick={() => void move(rule().id, place() - 1, 'up')}
              >
                <Icon name="up" size={16} />
              </Button>
              <Button
                data-move="down"
                aria-label={t('automations.moveDown', { name: inert(rule().name) })}
                refused={place() === (props.rules?.length ?? 0) - 1 ? t('automations.isLast') : null}
                onClick={() => void move(rule().id, place() + 1, 'down')}
              >
                <Icon name="down" size={16} />
              </Button>
              <Button
                aria-label={t('automations.edit', { name: inert(rule().name) })}
                onClick={() => props.onEdit(rule())}
              >
                {t('settings.edit')}
              </Button>
            </RuleItem>
          )}
        </ForKeyed>
      </ul>
    </Show>
  );
}
