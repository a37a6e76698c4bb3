// Parts of the form of a rule: which torrents it is about, and for how long its conditions have to hold.
import { createUniqueId, For, Show } from 'solid-js';
import { t } from '../../strings/index.js';
import { Field } from '../../ui/field.jsx';
import type { RuleDraft } from './draft.js';
import { unitsOf, unitText } from './measures.js';
import styles from './rule-form.module.css';

export function Scope(props: { readonly draft: RuleDraft; readonly isAdmin: boolean }) {
  const name = createUniqueId();
  return (
    <fieldset class={styles['section']}>
      <legend>{t('automations.form.scope')}</legend>
      <For each={['own', 'visible'] as const}>
        {(scope) => (
          <label class={styles['checkItem']}>
            <input
              type="radio"
              name={name}
              checked={props.draft.scope === scope}
              onChange={() => (props.draft.scope = scope)}
            />
            <span>
              {t(`automations.form.${scope}`)}
              <Show when={scope === 'visible'}>
                <span class={styles['help']}>
                  {t(props.isAdmin ? 'automations.form.visibleAdminHelp' : 'automations.form.visibleHelp')}
                </span>
              </Show>
            </span>
          </label>
        )}
      </For>
    </fieldset>
  );
}

export function Span(props: { readonly draft: RuleDraft; readonly error: string | null }) {
  return (
    <Field label={t('automations.form.forTime')} help={t('automations.form.forTimeHelp')} error={props.error}>
      {(control) => (
        <span class={styles['number']}>
          <input
            {...control}
            inputmode="decimal"
            autocomplete="off"
            aria-invalid={props.error !== null}
            value={props.draft.forText}
            onInput={(event) => (props.draft.forText = event.currentTarget.value)}
          />
          <select
            aria-label={t('automations.form.forUnit')}
            onChange={(event) => (props.draft.forUnit = event.currentTarget.value)}
          >
            <For each={unitsOf('span')}>
              {(unit) => (
                <option value={unit.name} selected={props.draft.forUnit === unit.name}>
                  {unitText(unit.name)}
                </option>
              )}
            </For>
          </select>
        </span>
      )}
    </Field>
  );
}
