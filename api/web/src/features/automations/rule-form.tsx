// A rule as it is made or changed: its torrents, conditions and actions, and a dry run of what is typed.
import { createMemo, createSignal, Show } from 'solid-js';
import type {
  AutomationDto,
  AutomationFields,
  AutomationPreview,
} from '../../../../../shared-protocol/dto/automations.js';
import { ApiError, call } from '../../net/http.js';
import { me } from '../../state/session.js';
import { t } from '../../strings/index.js';
import { Button } from '../../ui/button.jsx';
import { Field } from '../../ui/field.jsx';
import { ActionsEditor } from './action-editor.jsx';
import { draftOf, leavesOf } from './draft.js';
import { DryRun } from './dry-run.jsx';
import { GroupEditor } from './group-editor.jsx';
import { readDraft, type ReadDraft } from './read-draft.js';
import { wordsOf } from './said.js';
import { Scope, Span } from './rule-parts.jsx';
import dialog from '../../ui/dialog.module.css';
import styles from './rule-form.module.css';

export interface RuleFormProps {
  /** null: a new one. */
  readonly rule: AutomationDto | null;
  readonly onClose: () => void;
  readonly onChanged: () => Promise<void>;
  readonly onDelete: () => void;
}

interface Tried {
  readonly rule: AutomationFields;
  readonly result: AutomationPreview;
}

export function RuleForm(props: RuleFormProps) {
  let form!: HTMLFormElement;
  const { rule } = props;
  const draft = draftOf(rule);
  const [wasTried, setWasTried] = createSignal(false);
  const [problem, setProblem] = createSignal<string | null>(null);
  const [busy, setBusy] = createSignal<'save' | 'dryRun' | null>(null);
  const [tried, setTried] = createSignal<Tried | null>(null);
  const read = createMemo((): ReadDraft => readDraft(draft));
  const problems = createMemo(() => (wasTried() ? read().problems : new Map<never, string>()));
  const isOutdated = () => {
    const now = read().rule;
    return now === null || conditionsOf(now) !== conditionsOf(tried()!.rule);
  };
  /** null: it is to be mended first, or the server has refused it; both are said. */
  const send = async <Answer,>(kind: 'save' | 'dryRun', work: (rule: AutomationFields) => Promise<Answer>) => {
    // A dry run needs no name yet.
    if (kind === 'dryRun' && draft.name.trim() === '') draft.name = t('automations.form.unnamed');
    setWasTried(true);
    setProblem(null);
    const { rule: toSend } = read();
    if (!toSend) {
      setProblem(t('automations.form.fix'));
      form.querySelector<HTMLElement>('[aria-invalid="true"]')?.focus();
      return null;
    }
    setBusy(kind);
    try {
      return { rule: toSend, answer: await work(toSend) };
    } catch (error) {
      if (!(error instanceof ApiError)) throw error;
      setProblem(wordsOf(error));
      return null;
    } finally {
      setBusy(null);
    }
  };
  const dryRun = async () => {
    const sent = await send('dryRun', (asked) =>
      call<AutomationPreview>('POST', '/api/automations/preview', { rule: asked, ...(rule && { id: rule.id }) }),
    );
    if (sent) setTried({ rule: sent.rule, result: sent.answer });
  };
  const save = async (event: SubmitEvent) => {
    event.preventDefault();
    const sent = await send('save', (toSave) =>
      rule ? call('PUT', `/api/automations/${rule.id}`, toSave) : call('POST', '/api/automations', toSave),
    );
    if (!sent) return;
    await props.onChanged();
    props.onClose();
  };
  const removes = () => draft.actions.some(({ action }) => action === 'remove');
  return (
    <form ref={form} class={styles['form']} noValidate onSubmit={(event) => void save(event)}>
      <Field label={t('automations.form.name')} error={problems().get('name')}>
        {(control) => (
          <input
            {...control}
            maxlength={100}
            autocomplete="off"
            aria-invalid={problems().has('name')}
            value={draft.name}
            onInput={(event) => (draft.name = event.currentTarget.value)}
          />
        )}
      </Field>
      <Scope draft={draft} isAdmin={me().role === 'admin'} />
      <fieldset class={styles['section']}>
        <legend>{t('automations.form.conditions')}</legend>
        <GroupEditor group={draft.when} place="" depth={0} count={leavesOf(draft.when).length} problems={problems()} />
        <Span draft={draft} error={problems().get('for') ?? null} />
      </fieldset>
      <fieldset class={styles['section']}>
        <legend>{t('automations.form.actions')}</legend>
        <ActionsEditor draft={draft} problems={problems()} />
        <Show when={removes()}>
          <Field
            label={t('automations.form.maxRemovals')}
            help={t('automations.form.maxRemovalsHelp')}
            error={problems().get('max_removals')}
          >
            {(control) => (
              <input
                {...control}
                class={styles['short']}
                inputmode="numeric"
                aria-invalid={problems().has('max_removals')}
                value={draft.maxRemovals}
                onInput={(event) => (draft.maxRemovals = event.currentTarget.value)}
              />
            )}
          </Field>
        </Show>
      </fieldset>
      <label class={styles['checkItem']}>
        <input
          type="checkbox"
          checked={draft.enabled}
          onChange={(event) => (draft.enabled = event.currentTarget.checked)}
        />
        {t('automations.form.enabled')}
      </label>
      <div class={styles['tries']}>
        <Button disabled={busy() !== null} onClick={() => void dryRun()}>
          {busy() === 'dryRun'
            ? t('automations.dryRun.running')
            : t(`automations.dryRun.${tried() ? 'again' : 'button'}`)}
        </Button>
        <span class="muted">{t('automations.dryRun.about')}</span>
      </div>
      <div role="status">
        <Show when={tried()}>{(shown) => <DryRun {...shown()} isOutdated={isOutdated()} />}</Show>
      </div>
      <div class={`${styles['buttons']} ${dialog['footer']}`}>
        <Show when={rule}>
          <Button look="quiet" class={styles['delete']} onClick={() => props.onDelete()}>
            {t('automations.delete')}
          </Button>
        </Show>
        <span class={styles['problem']} role="alert">
          {problem()}
        </span>
        <Button onClick={() => props.onClose()}>{t('common.cancel')}</Button>
        <Button look="primary" type="submit" disabled={busy() !== null}>
          {t('common.save')}
        </Button>
      </div>
    </form>
  );
}

/** Everything that a dry run depends on. */
function conditionsOf({ scope, when, for_minutes, actions, max_removals }: AutomationFields): string {
  return JSON.stringify([scope, when, for_minutes, actions, max_removals]);
}
