// A part of a page of settings.
import { createUniqueId, Show, type JSX } from 'solid-js';
import styles from './settings.module.css';

export interface SectionProps {
  /** None: the page's own title says it. */
  readonly title?: string | undefined;
  readonly about?: string | undefined;
  /** Whether the section is as wide as it is useful, not as wide as one reads. */
  readonly isWide?: boolean;
  readonly children: JSX.Element;
}

export function Section(props: SectionProps) {
  const id = createUniqueId();
  return (
    <section class={styles['section']} data-wide={props.isWide} aria-labelledby={props.title ? id : undefined}>
      <Show when={props.title}>
        <h2 id={id}>{props.title}</h2>
      </Show>
      <Show when={props.about}>
        <p class="muted">{props.about}</p>
      </Show>
      {props.children}
    </section>
  );
}
