// What else can be wanted of torrents from their beginning; folded away until it is asked for.
import { For } from 'solid-js';
import { t } from '../../strings/index.js';
import { Field } from '../../ui/field.jsx';
import { isWrong, LAYOUTS, MARKS, NUMBERS, STOPS, type Options } from './options.js';
import styles from './add.module.css';

export interface OptionFieldsProps {
  readonly options: Options;
  readonly onOptions: (options: Options) => void;
}

export function OptionFields(props: OptionFieldsProps) {
  const change = (part: Partial<Options>) => props.onOptions({ ...props.options, ...part });
  return (
    <details class={styles['more']}>
      <summary>{t('add.more.title')}</summary>
      <div class={styles['marks']}>
        <For each={MARKS}>
          {(mark) => (
            <label>
              <input
                type="checkbox"
                checked={props.options.marks[mark]}
                onChange={(event) => change({ marks: { ...props.options.marks, [mark]: event.currentTarget.checked } })}
              />{' '}
              {t(`add.more.${mark}`)}
            </label>
          )}
        </For>
      </div>
      <div class={styles['grid']}>
        <For each={NUMBERS}>
          {(name) => (
            <Field
              label={t(`add.more.${name}`)}
              error={isWrong(name, props.options) ? t(name === 'ratio' ? 'add.more.number' : 'add.more.whole') : null}
            >
              {(control) => (
                <input
                  {...control}
                  inputmode={name === 'ratio' ? 'decimal' : 'numeric'}
                  autocomplete="off"
                  placeholder={t('add.more.unlimited')}
                  value={props.options.numbers[name]}
                  onInput={(event) =>
                    change({ numbers: { ...props.options.numbers, [name]: event.currentTarget.value } })
                  }
                />
              )}
            </Field>
          )}
        </For>
        <Field label={t('add.more.layout')}>
          {(control) => (
            <select
              {...control}
              value={props.options.layout}
              onChange={(event) => change({ layout: event.currentTarget.value as Options['layout'] })}
            >
              <option value="">{t('add.more.asSet')}</option>
              <For each={LAYOUTS}>{(layout) => <option value={layout}>{t(`add.more.layouts.${layout}`)}</option>}</For>
            </select>
          )}
        </Field>
        <Field label={t('add.more.stop')}>
          {(control) => (
            <select
              {...control}
              value={props.options.stop}
              onChange={(event) => change({ stop: event.currentTarget.value as Options['stop'] })}
            >
              <option value="">{t('add.more.never')}</option>
              <For each={STOPS}>{(stop) => <option value={stop}>{t(`add.more.stops.${stop}`)}</option>}</For>
            </select>
          )}
        </Field>
      </div>
    </details>
  );
}
