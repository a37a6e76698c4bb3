// Several of a list, each with its mark; what is long is scrolled.
import { For, Show } from 'solid-js';
import { t } from '../../strings/index.js';
import styles from './rule-form.module.css';

export interface CheckListProps<Value> {
  readonly label: string;
  readonly options: readonly { readonly value: Value; readonly label: string }[];
  readonly chosen: readonly Value[];
  readonly onChange: (chosen: Value[]) => void;
}

export function CheckList<Value extends string | number | null>(props: CheckListProps<Value>) {
  const toggle = (value: Value, isOn: boolean) =>
    props.onChange(isOn ? [...props.chosen, value] : props.chosen.filter((each) => each !== value));
  return (
    <fieldset class={styles['checks']} aria-label={props.label}>
      <Show when={props.options.length > 0} fallback={<span class="muted">{t('automations.form.noneThere')}</span>}>
        <For each={props.options}>
          {({ value, label }) => (
            <label class={styles['checkItem']}>
              <input
                type="checkbox"
                checked={props.chosen.includes(value)}
                onChange={(event) => toggle(value, event.currentTarget.checked)}
              />
              {label}
            </label>
          )}
        </For>
      </Show>
    </fieldset>
  );
}
