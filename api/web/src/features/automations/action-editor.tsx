// What a rule does, one line for each action.
import { For, Match, Show, Switch } from 'solid-js';
import { inert } from '../../format/quantities.js';
import { categories, tags } from '../../state/labels.js';
import { t } from '../../strings/index.js';
import { Button } from '../../ui/button.jsx';
import { Field } from '../../ui/field.jsx';
import { Icon } from '../../ui/icons.jsx';
import { newAction, type ActionDraft, type ActionName, type RuleDraft } from './draft.js';
import type { Problems } from './read-draft.js';
import { categoryName, tagName } from './rule-words.js';
import styles from './rule-form.module.css';

const ACTIONS: readonly ActionName[] = [
  ...(['pause', 'resume', 'announce', 'category', 'add_tag', 'remove_tag', 'rate_limits'] as const),
  ...(['share_limits', 'queue', 'move', 'remove'] as const),
];
const MAX_ACTIONS = 8;

export function ActionsEditor(props: { readonly draft: RuleDraft; readonly problems: Problems }) {
  const full = () =>
    props.draft.actions.length >= MAX_ACTIONS ? t('automations.form.tooManyActions', { max: MAX_ACTIONS }) : null;
  const lastOne = () => (props.draft.actions.length === 1 ? t('automations.form.lastAction') : null);
  return (
    <div class={styles['group']}>
      <For each={props.draft.actions}>
        {(action, index) => (
          <div class={styles['item']}>
            <div class={styles['part']}>
              <ActionEditor action={action} place={String(index() + 1)} />
              <Show when={props.problems.get(action.key)}>
                <p class={styles['problem']}>{props.problems.get(action.key)}</p>
              </Show>
            </div>
            <Button
              look="quiet"
              class={styles['drop']}
              aria-label={t('automations.form.removeAction', { place: String(index() + 1) })}
              refused={lastOne()}
              onClick={() => (props.draft.actions = props.draft.actions.filter((each) => each !== action))}
            >
              <Icon name="close" size={16} />
            </Button>
          </div>
        )}
      </For>
      <div class={styles['adders']}>
        <Button refused={full()} onClick={() => props.draft.actions.push(newAction())}>
          {t('automations.form.addAction')}
        </Button>
      </div>
    </div>
  );
}

function ActionEditor(props: { readonly action: ActionDraft; readonly place: string }) {
  const is = (...names: readonly ActionName[]) => names.includes(props.action.action);
  const change = (action: ActionName) => {
    props.action.id = null;
    props.action.action = action;
  };
  return (
    <div class={styles['action']}>
      <select
        aria-label={t('automations.form.action', { place: props.place })}
        onChange={(event) => change(event.currentTarget.value as ActionName)}
      >
        <For each={ACTIONS}>
          {(action) => (
            <option value={action} selected={props.action.action === action}>
              {t(`automations.action.${action}`)}
            </option>
          )}
        </For>
      </select>
      <Switch>
        <Match when={is('category', 'add_tag', 'remove_tag')}>
          <LabelChoice action={props.action} isCategory={is('category')} />
        </Match>
        <Match when={is('rate_limits')}>
          <Limit
            label={t('automations.form.down')}
            action={props.action}
            name="down"
            unit={t('settings.unit.kibPerS')}
          />
          <Limit label={t('automations.form.up')} action={props.action} name="up" unit={t('settings.unit.kibPerS')} />
          <p class="muted">{t('automations.form.unlimited')}</p>
        </Match>
        <Match when={is('share_limits')}>
          <Limit label={t('automations.form.ratio')} action={props.action} name="ratio" />
          <Limit
            label={t('automations.form.time')}
            action={props.action}
            name="time"
            unit={t('settings.unit.minutes')}
          />
          <Limit
            label={t('automations.form.inactive')}
            action={props.action}
            name="inactive"
            unit={t('settings.unit.minutes')}
          />
          <p class="muted">{t('automations.form.shareHelp')}</p>
        </Match>
        <Match when={is('queue')}>
          <select
            aria-label={t('automations.action.queue')}
            onChange={(event) => (props.action.to = event.currentTarget.value as 'top' | 'bottom')}
          >
            <For each={['top', 'bottom'] as const}>
              {(to) => (
                <option value={to} selected={props.action.to === to}>
                  {t(`automations.form.${to}`)}
                </option>
              )}
            </For>
          </select>
        </Match>
        <Match when={is('move')}>
          <input
            aria-label={t('automations.form.path')}
            autocomplete="off"
            spellcheck={false}
            placeholder="/"
            value={props.action.path}
            onInput={(event) => (props.action.path = event.currentTarget.value)}
          />
        </Match>
        <Match when={is('remove')}>
          <label class={styles['checkItem']}>
            <input
              type="checkbox"
              checked={props.action.deleteData}
              onChange={(event) => (props.action.deleteData = event.currentTarget.checked)}
            />
            {t('automations.form.deleteData')}
          </label>
          <p class="muted">{t('automations.form.removeHelp')}</p>
        </Match>
      </Switch>
    </div>
  );
}

function LabelChoice(props: { readonly action: ActionDraft; readonly isCategory: boolean }) {
  const known = () => (props.isCategory ? categories.value() : tags.value()) ?? [];
  const gone = () => {
    const { id } = props.action;
    return id !== null && !known().some((label) => label.id === id) ? id : null;
  };
  return (
    <select
      aria-label={t(`automations.action.${props.action.action}`)}
      onChange={(event) => (props.action.id = Number(event.currentTarget.value) || null)}
    >
      <option value="" selected={props.action.id === null}>
        {t(props.isCategory ? 'automations.form.noCategory' : 'automations.form.chooseOne')}
      </option>
      <For each={known()}>
        {({ id, name }) => (
          <option value={id} selected={props.action.id === id}>
            {inert(name)}
          </option>
        )}
      </For>
      <Show when={gone() !== null}>
        <option value={gone()!} selected>
          {props.isCategory ? categoryName(gone()) : tagName(gone()!)}
        </option>
      </Show>
    </select>
  );
}

interface LimitProps {
  readonly label: string;
  readonly action: ActionDraft;
  readonly name: 'down' | 'up' | 'ratio' | 'time' | 'inactive';
  readonly unit?: string;
}

function Limit(props: LimitProps) {
  const isOptional = () => props.name === 'ratio' || props.name === 'time' || props.name === 'inactive';
  return (
    <Field label={props.label}>
      {(control) => (
        <span class={styles['number']}>
          <input
            {...control}
            inputmode="decimal"
            autocomplete="off"
            placeholder={isOptional() ? t('automations.form.noLimit') : undefined}
            value={props.action[props.name]}
            onInput={(event) => (props.action[props.name] = event.currentTarget.value)}
          />
          <Show when={props.unit}>
            <span class="muted">{props.unit}</span>
          </Show>
        </span>
      )}
    </Field>
  );
}
