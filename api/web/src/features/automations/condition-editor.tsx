// One condition: what it looks at, how it compares, and with what.
import { For, Match, Show, Switch } from 'solid-js';
import type { AutomationState } from '../../../../../shared-protocol/dto/automations.js';
import { inert } from '../../format/quantities.js';
import { categories, tags } from '../../state/labels.js';
import { t } from '../../strings/index.js';
import { CheckList } from './check-list.jsx';
import { changeField, opsOf, type LeafDraft, type LeafField } from './draft.js';
import { isMeasure, KIND_OF, unitsOf, unitText } from './measures.js';
import { categoryName, tagName } from './rule-words.js';
import styles from './rule-form.module.css';

const GROUPS = {
  status: ['state', 'tracker_error', 'progress', 'private'],
  labels: ['name', 'category', 'tags', 'tracker', 'save_path'],
  share: ['ratio', 'uploaded', 'downloaded', 'size'],
  time: ['age', 'completed_age', 'seeding_time', 'inactive_time'],
  swarm: ['download_rate', 'upload_rate', 'swarm_seeds', 'swarm_leechers'],
  around: ['free_space', 'torrents'],
} as const satisfies Readonly<Record<string, readonly LeafField[]>>;
const STATES: readonly AutomationState[] = [
  ...(['downloading', 'seeding', 'stalled', 'paused', 'queued', 'checking', 'moving'] as const),
  ...(['completed', 'incomplete', 'files_missing', 'error'] as const),
];
const CODES = ['UNREGISTERED', 'REFUSED', 'UNREACHABLE'] as const;

export interface ConditionEditorProps {
  readonly leaf: LeafDraft;
  /** The number in the rule, from the outside in: `2.1`. */
  readonly place: string;
  readonly problem: string | null;
}

export function ConditionEditor(props: ConditionEditorProps) {
  return (
    <div class={styles['condition']}>
      <select
        aria-label={t('automations.form.condition', { place: props.place })}
        onChange={(event) => changeField(props.leaf, event.currentTarget.value as LeafField)}
      >
        <For each={Object.entries(GROUPS)}>
          {([group, fields]) => (
            <optgroup label={t(`automations.groups.${group as keyof typeof GROUPS}`)}>
              <For each={fields}>
                {(field) => (
                  <option value={field} selected={props.leaf.field === field}>
                    {t(`automations.field.${field}`)}
                  </option>
                )}
              </For>
            </optgroup>
          )}
        </For>
      </select>
      <Show when={opsOf(props.leaf.field).length > 0}>
        <select
          aria-label={t('automations.form.operator', { place: props.place })}
          onChange={(event) => (props.leaf.op = event.currentTarget.value)}
        >
          <For each={opsOf(props.leaf.field)}>
            {(op) => (
              <option value={op} selected={props.leaf.op === op}>
                {t(`automations.op.${op}`)}
              </option>
            )}
          </For>
        </select>
      </Show>
      <div class={styles['value']}>
        <ConditionValue {...props} />
      </div>
    </div>
  );
}

function ConditionValue(props: ConditionEditorProps) {
  const label = () => t('automations.form.value', { place: props.place });
  const isField = (...fields: readonly LeafField[]) => fields.includes(props.leaf.field);
  const kind = () => (isMeasure(props.leaf.field) ? KIND_OF[props.leaf.field] : null);
  const idOptions = () => {
    const isCategory = props.leaf.field === 'category';
    const known = (isCategory ? categories.value() : tags.value()) ?? [];
    const there: { readonly value: number | null; readonly label: string }[] = known.map(({ id, name }) => ({
      value: id,
      label: inert(name),
    }));
    const gone = props.leaf.ids.flatMap((id) =>
      id === null || known.some((each) => each.id === id)
        ? []
        : [{ value: id, label: isCategory ? categoryName(id) : tagName(id) }],
    );
    const none = isCategory ? [{ value: null, label: t('automations.form.noCategory') }] : [];
    return [...none, ...there, ...gone];
  };
  return (
    <Switch>
      <Match when={kind()}>
        {(measured) => (
          <span class={styles['number']}>
            <input
              aria-label={label()}
              aria-invalid={props.problem !== null}
              inputmode="decimal"
              autocomplete="off"
              value={props.leaf.text}
              onInput={(event) => (props.leaf.text = event.currentTarget.value)}
            />
            <Show
              when={unitsOf(measured()).length > 1}
              fallback={<span class="muted">{unitText(unitsOf(measured())[0]!.name)}</span>}
            >
              <select
                aria-label={t('automations.form.unit', { place: props.place })}
                onChange={(event) => (props.leaf.unit = event.currentTarget.value)}
              >
                <For each={unitsOf(measured())}>
                  {({ name }) => (
                    <option value={name} selected={props.leaf.unit === name}>
                      {unitText(name)}
                    </option>
                  )}
                </For>
              </select>
            </Show>
          </span>
        )}
      </Match>
      <Match when={isField('state')}>
        <CheckList
          label={label()}
          options={STATES.map((value) => ({ value, label: t(`automations.state.${value}`) }))}
          chosen={props.leaf.values as AutomationState[]}
          onChange={(chosen) => (props.leaf.values = chosen)}
        />
      </Match>
      <Match when={isField('tracker_error')}>
        <CheckList
          label={label()}
          options={CODES.map((value) => ({ value, label: t(`automations.trackerError.${value}`) }))}
          chosen={props.leaf.values as (typeof CODES)[number][]}
          onChange={(chosen) => (props.leaf.values = chosen)}
        />
      </Match>
      <Match when={isField('category', 'tags')}>
        <CheckList
          label={label()}
          options={idOptions()}
          chosen={props.leaf.ids}
          onChange={(chosen) => (props.leaf.ids = chosen)}
        />
      </Match>
      <Match when={isField('private')}>
        <select aria-label={label()} onChange={(event) => (props.leaf.isPrivate = event.currentTarget.value === 'yes')}>
          <For each={['yes', 'no'] as const}>
            {(answer) => (
              <option value={answer} selected={props.leaf.isPrivate === (answer === 'yes')}>
                {t(`automations.${answer}`)}
              </option>
            )}
          </For>
        </select>
      </Match>
      <Match when={isField('name', 'tracker', 'save_path')}>
        <input
          aria-label={label()}
          aria-invalid={props.problem !== null}
          class={isField('name') && props.leaf.syntax === 'regex' ? 'mono' : undefined}
          autocomplete="off"
          spellcheck={false}
          maxlength={isField('name') ? 200 : undefined}
          placeholder={isField('tracker') ? t('automations.form.hosts') : undefined}
          value={props.leaf.text}
          onInput={(event) => (props.leaf.text = event.currentTarget.value)}
        />
        <Show when={isField('name')}>
          <select
            aria-label={t('automations.form.syntax', { place: props.place })}
            onChange={(event) => (props.leaf.syntax = event.currentTarget.value as 'glob' | 'regex')}
          >
            <For each={['glob', 'regex'] as const}>
              {(syntax) => (
                <option value={syntax} selected={props.leaf.syntax === syntax}>
                  {t(`automations.form.${syntax}`)}
                </option>
              )}
            </For>
          </select>
        </Show>
      </Match>
    </Switch>
  );
}
