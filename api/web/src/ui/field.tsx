// A labelled control with its help and its error, tied together for screen readers.
import { createUniqueId, Show, type JSX } from 'solid-js';
import styles from './field.module.css';

export interface FieldProps {
  readonly label: string;
  readonly help?: string | undefined;
  readonly error?: string | null | undefined;
  /** Given what the control must carry. */
  readonly children: (control: { readonly id: string; readonly 'aria-describedby': string }) => JSX.Element;
}

export function Field(props: FieldProps) {
  const id = createUniqueId();
  const describedBy = `${id}-about`;
  return (
    <div class={styles['field']}>
      <label for={id}>{props.label}</label>
      {props.children({ id, 'aria-describedby': describedBy })}
      <div id={describedBy} class={styles['about']}>
        <Show when={props.error} fallback={props.help}>
          <span class={styles['error']} role="alert">
            {props.error}
          </span>
        </Show>
      </div>
    </div>
  );
}
