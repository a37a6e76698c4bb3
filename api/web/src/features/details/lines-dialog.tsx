// Asks for several things at once, one on each line. What the server refuses stays in the field, with its reason.
import { createSignal } from 'solid-js';
import { t } from '../../strings/index.js';
import { Button } from '../../ui/button.jsx';
import { Dialog } from '../../ui/dialog.jsx';
import { Field } from '../../ui/field.jsx';
import styles from './forms.module.css';

export interface Refusal {
  readonly reason: string;
  /** The lines that are to be seen to. */
  readonly lines: readonly string[];
}

export interface LinesDialogProps {
  readonly title: string;
  readonly label: string;
  readonly help: string;
  readonly isOpen: boolean;
  readonly onClose: () => void;
  /** null: all of them were taken. */
  readonly onSubmit: (lines: readonly string[]) => Promise<Refusal | null>;
}

export function LinesDialog(props: LinesDialogProps) {
  const [text, setText] = createSignal('');
  const [error, setError] = createSignal<string | null>(null);
  const [isBusy, setIsBusy] = createSignal(false);
  const lines = () =>
    text()
      .split(/[\s,]+/)
      .filter(Boolean);
  const close = () => {
    setText('');
    setError(null);
    props.onClose();
  };
  const submit = async () => {
    if (lines().length === 0 || isBusy()) return;
    setIsBusy(true);
    const refusal = await props.onSubmit(lines());
    setIsBusy(false);
    if (!refusal) return close();
    setError(refusal.reason);
    setText(refusal.lines.join('\n'));
  };
  return (
    <Dialog title={props.title} isOpen={props.isOpen} onClose={close}>
      <form
        class={styles['lines']}
        onSubmit={(event) => {
          event.preventDefault();
          void submit();
        }}
      >
        <Field label={props.label} help={props.help} error={error()}>
          {(control) => (
            <textarea
              {...control}
              rows={5}
              class="mono"
              spellcheck={false}
              value={text()}
              onInput={(event) => setText(event.currentTarget.value)}
            />
          )}
        </Field>
        <div class={styles['buttons']}>
          <Button onClick={close}>{t('common.cancel')}</Button>
          <Button look="primary" type="submit" disabled={lines().length === 0 || isBusy()}>
            {props.title}
          </Button>
        </div>
      </form>
    </Dialog>
  );
}
