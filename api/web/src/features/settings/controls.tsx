// The controls of a form, each bound to one of its fields by name.
import { createUniqueId, For, Show } from 'solid-js';
import { t } from '../../strings/index.js';
import { Field } from '../../ui/field.jsx';
import type { Form } from './create-form.js';
import styles from './form.module.css';

/** Says below a field that a flag has decided it, else its help. */
function helpOf<Values extends object>({ form, name, help }: ControlProps<Values>): string | undefined {
  const flag = form.pinOf(name);
  return flag === null ? help : t('settings.pinned', { flag });
}

interface ControlProps<Values extends object> {
  readonly form: Form<Values>;
  readonly name: keyof Values & string;
  readonly label: string;
  readonly help?: string;
}

export interface TextProps<Values extends object> extends ControlProps<Values> {
  /** @default 'text' */
  readonly kind?: 'text' | 'url' | 'time' | 'password' | 'number';
  /** Shown after it. */
  readonly unit?: string;
  readonly placeholder?: string;
  readonly autocomplete?: string;
}

export function TextControl<Values extends object>(props: TextProps<Values>) {
  const isNumber = () => props.kind === 'number';
  return (
    <Field label={props.label} help={helpOf(props)} error={props.form.problemOf(props.name)}>
      {(control) => (
        <span class={styles['control']} data-short={isNumber() || props.kind === 'time'}>
          <input
            {...control}
            name={props.name}
            disabled={props.form.pinOf(props.name) !== null}
            // A number is a text with other keys: a wheel over it must not change it.
            type={isNumber() ? 'text' : (props.kind ?? 'text')}
            inputmode={isNumber() ? 'decimal' : undefined}
            autocomplete={props.autocomplete ?? 'off'}
            spellcheck={false}
            placeholder={props.placeholder}
            aria-invalid={props.form.problemOf(props.name) !== null}
            value={String(props.form.typed(props.name))}
            onInput={(event) => props.form.type(props.name, event.currentTarget.value)}
          />
          <Show when={props.unit}>
            <span class={styles['unit']}>{props.unit}</span>
          </Show>
        </span>
      )}
    </Field>
  );
}

/** For a list, one entry on each line. */
export function LinesControl<Values extends object>(props: ControlProps<Values>) {
  return (
    <Field label={props.label} help={helpOf(props)} error={props.form.problemOf(props.name)}>
      {(control) => (
        <span class={styles['control']}>
          <textarea
            {...control}
            class={styles['lines']}
            name={props.name}
            rows={3}
            spellcheck={false}
            disabled={props.form.pinOf(props.name) !== null}
            aria-invalid={props.form.problemOf(props.name) !== null}
            value={String(props.form.typed(props.name))}
            onInput={(event) => props.form.type(props.name, event.currentTarget.value)}
          />
        </span>
      )}
    </Field>
  );
}

export function CheckControl<Values extends object>(props: ControlProps<Values>) {
  const id = createUniqueId();
  const about = () => props.form.problemOf(props.name) ?? helpOf(props);
  return (
    <div class={styles['check']}>
      <input
        id={id}
        type="checkbox"
        name={props.name}
        disabled={props.form.pinOf(props.name) !== null}
        aria-describedby={`${id}-about`}
        aria-invalid={props.form.problemOf(props.name) !== null}
        checked={props.form.typed(props.name) === true}
        onChange={(event) => props.form.type(props.name, event.currentTarget.checked)}
      />
      <label for={id}>{props.label}</label>
      <Show when={about()}>
        <span id={`${id}-about`} class={props.form.problemOf(props.name) === null ? styles['help'] : styles['problem']}>
          {about()}
        </span>
      </Show>
    </div>
  );
}

export interface ChoiceProps<Values extends object> extends ControlProps<Values> {
  readonly options: readonly {
    readonly value: string;
    readonly label: string;
    readonly help?: string;
    readonly isRefused?: boolean;
  }[];
}

/** Several choices, of which the chosen one is in sight. */
export function SelectControl<Values extends object>(props: ChoiceProps<Values>) {
  return (
    <Field label={props.label} help={helpOf(props)} error={props.form.problemOf(props.name)}>
      {(control) => (
        <select
          {...control}
          name={props.name}
          disabled={props.form.pinOf(props.name) !== null}
          aria-invalid={props.form.problemOf(props.name) !== null}
          onChange={(event) => props.form.type(props.name, event.currentTarget.value)}
        >
          <For each={props.options}>
            {({ value, label, isRefused }) => (
              <option value={value} disabled={isRefused} selected={props.form.typed(props.name) === value}>
                {label}
              </option>
            )}
          </For>
        </select>
      )}
    </Field>
  );
}

/** Few choices, all in sight. */
export function ChoiceControl<Values extends object>(props: ChoiceProps<Values>) {
  return (
    <fieldset class={styles['choices']} disabled={props.form.pinOf(props.name) !== null}>
      <legend>{props.label}</legend>
      <For each={props.options}>
        {({ value, label, help }) => (
          <label class={styles['choice']}>
            <input
              type="radio"
              name={props.name}
              value={value}
              checked={props.form.typed(props.name) === value}
              onChange={() => props.form.type(props.name, value)}
            />
            <span>
              {label}
              <Show when={help}>
                <span class={styles['help']}>{help}</span>
              </Show>
            </span>
          </label>
        )}
      </For>
      <Show when={props.form.pinOf(props.name) !== null}>
        <span class={styles['help']}>{helpOf(props)}</span>
      </Show>
      <span class={styles['problem']}>{props.form.problemOf(props.name)}</span>
    </fieldset>
  );
}
