// A fact by its name, and a text that can be copied.
import { Show, type JSX } from 'solid-js';
import { copyText } from '../../actions/copy.js';
import { inert } from '../../format/quantities.js';
import { t } from '../../strings/index.js';
import { Icon } from '../../ui/icons.jsx';
import styles from './overview.module.css';

export function FactGroup(props: { readonly title: string; readonly children: JSX.Element }) {
  return (
    <section class={styles['group']}>
      <h3>{props.title}</h3>
      <dl>{props.children}</dl>
    </section>
  );
}

/** `help` is shown where a mouse rests, and read aloud. */
export function Fact(props: { readonly name: string; readonly help?: string; readonly children: JSX.Element }) {
  return (
    <div title={props.help}>
      <dt>
        {props.name}
        <Show when={props.help}>
          <span class="visually-hidden">: {props.help}</span>
        </Show>
      </dt>
      <dd>{props.children}</dd>
    </div>
  );
}

/** `isProse`: it is shown whole, with its lines. */
export function CopyableText(props: { readonly name: string; readonly text: string; readonly isProse?: boolean }) {
  return (
    <div class={styles['copyable']}>
      <dt>{props.name}</dt>
      <dd>
        <span class={styles[props.isProse ? 'prose' : 'text']} title={props.isProse ? undefined : inert(props.text)}>
          {inert(props.text)}
        </span>
        <button
          type="button"
          class={styles['copy']}
          aria-label={t('details.copy', { what: props.name })}
          title={t('details.copy', { what: props.name })}
          onClick={() => void copyText(props.text)}
        >
          <Icon name="copy" size={16} />
        </button>
      </dd>
    </div>
  );
}

/** Keeps the place of a value that has not come yet, or does not apply. */
export function shown(value: number | undefined, format: (value: number) => string): string {
  return value === undefined ? t('details.overview.none') : format(value);
}
