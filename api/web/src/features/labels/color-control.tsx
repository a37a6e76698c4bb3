// A colour: one of a few that are told apart in both themes, any other by hand, or none.
import { For } from 'solid-js';
import { t } from '../../strings/index.js';
import type { Form } from '../settings/create-form.js';
import { TextControl } from '../settings/controls.jsx';
import styles from './labels.module.css';

const COLORS = ['#e5484d', '#f76b15', '#ffc53d', '#46a758', '#12a594', '#0090ff', '#8e4ec6', '#8b8d98'] as const;

export function ColorControl<Values extends object>(props: {
  readonly form: Form<Values>;
  readonly name: keyof Values & string;
}) {
  return (
    <div>
      <TextControl form={props.form} name={props.name} label={t('labels.color')} help={t('labels.colorHelp')} />
      <div class={styles['colors']} role="group" aria-label={t('labels.color')}>
        <For each={COLORS}>
          {(color) => (
            <button
              type="button"
              class={styles['color']}
              style={{ background: color }}
              aria-label={color}
              aria-pressed={props.form.typed(props.name) === color}
              onClick={() => props.form.type(props.name, color)}
            />
          )}
        </For>
        <button
          type="button"
          class={styles['noColor']}
          aria-pressed={props.form.typed(props.name) === ''}
          onClick={() => props.form.type(props.name, '')}
        >
          {t('labels.noColor')}
        </button>
      </div>
    </div>
  );
}
