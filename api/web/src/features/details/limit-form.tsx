// What the forms for limits of one torrent have in common: one line for each number, saving, and what the server says.
import { createSignal, type JSX } from 'solid-js';
import { ApiError } from '../../net/http.js';
import { t } from '../../strings/index.js';
import { Button } from '../../ui/button.jsx';
import { Field } from '../../ui/field.jsx';
import { showNote } from '../../ui/toasts.jsx';
import type { Typed } from './limit-numbers.js';
import styles from './forms.module.css';

export interface LimitFormProps {
  /** Why it cannot be saved; null when it can. */
  readonly refused: string | null;
  /** Null while what is typed is no limit. @throws ApiError */
  readonly save: () => Promise<unknown> | null;
  readonly children: JSX.Element;
}

export function LimitForm(props: LimitFormProps) {
  const [error, setError] = createSignal<string | null>(null);
  const save = async () => {
    try {
      const saving = props.save();
      if (!saving) return;
      await saving;
      setError(null);
      showNote({ look: 'good', text: t('details.limits.saved') });
    } catch (thrown) {
      if (!(thrown instanceof ApiError)) throw thrown;
      setError(thrown.message);
    }
  };
  return (
    <form
      class={styles['form']}
      onSubmit={(event) => {
        event.preventDefault();
        void save();
      }}
    >
      {props.children}
      <div class={styles['foot']}>
        <Button type="submit" refused={props.refused}>
          {t('common.save')}
        </Button>
        <span class={styles['error']} role="alert">
          {error()}
        </span>
      </div>
    </form>
  );
}

export interface LimitFieldProps {
  readonly label: string;
  readonly inputmode: 'numeric' | 'decimal';
  readonly text: string;
  /** The value that the text says. */
  readonly typed: Typed;
  readonly isDisabled: boolean;
  readonly onText: (text: string) => void;
}

export function LimitField(props: LimitFieldProps) {
  const problem = () => (props.typed.kind === 'limit' ? null : t(`details.limits.${props.typed.kind}`));
  return (
    <Field label={props.label} error={problem()}>
      {(control) => (
        <input
          {...control}
          inputmode={props.inputmode}
          disabled={props.isDisabled}
          value={props.text}
          onInput={(event) => props.onText(event.currentTarget.value)}
        />
      )}
    </Field>
  );
}
