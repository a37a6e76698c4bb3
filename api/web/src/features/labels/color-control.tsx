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
        <input
          type="color"
          class={styles['picker']}
          aria-label={t('labels.otherColor')}
          title={t('labels.otherColor')}
          value={hexOf(String(props.form.typed(props.name)))}
          onInput={(event) => props.form.type(props.name, event.currentTarget.value)}
        />
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

/** The colour as pickers take it; one with a name, or none, is shown as black. */
function hexOf(color: string): string {
  const [, short] = /^#([0-9a-f]{3})$/i.exec(color) ?? [];
  if (short) return `#${[...short].map((digit) => digit + digit).join('')}`;
  return /^#[0-9a-f]{6}$/i.test(color) ? color : '#000000';
}
