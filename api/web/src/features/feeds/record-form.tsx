// What the forms of feeds and of filters have in common: sending, the server's refusal at the field that it names, the
// switch, and the buttons.
import { createSignal, Show, type Accessor } from 'solid-js';
import { ApiError } from '../../net/http.js';
import { t } from '../../strings/index.js';
import { Button } from '../../ui/button.jsx';
import { fieldError, type FieldError } from './field-error.js';
import styles from './feeds.module.css';

export interface RecordForm<Name extends string> {
  readonly isBusy: Accessor<boolean>;
  /** Why the field was refused; null when it was not. */
  readonly errorOf: (field: Name) => string | null;
  /** Why all of it was. */
  readonly problem: Accessor<string | null>;
  readonly forgive: () => void;
  readonly onSubmit: (event: SubmitEvent & { readonly currentTarget: HTMLFormElement }) => void;
}

/** `send` what is in the form. @throws ApiError */
export function createRecordForm<Name extends string>(
  fields: readonly Name[],
  send: (form: FormData) => Promise<void>,
): RecordForm<Name> {
  const [error, setError] = createSignal<FieldError<Name> | null>(null);
  const [isBusy, setIsBusy] = createSignal(false);
  const submit = async (form: FormData) => {
    setIsBusy(true);
    try {
      await send(form);
    } catch (thrown) {
      if (!(thrown instanceof ApiError)) throw thrown;
      setError(fieldError(thrown, fields));
    } finally {
      setIsBusy(false);
    }
  };
  const reasonAt = (field: Name | null) => {
    const now = error();
    return now?.field === field ? now.reason : null;
  };
  return {
    isBusy,
    errorOf: reasonAt,
    problem: () => reasonAt(null),
    forgive: () => void setError(null),
    onSubmit(event) {
      event.preventDefault();
      void submit(new FormData(event.currentTarget));
    },
  };
}

export interface RecordFootProps {
  readonly form: Pick<RecordForm<string>, 'isBusy' | 'problem'>;
  readonly enabledLabel: string;
  readonly isEnabled: boolean;
  readonly submitLabel: string;
  readonly onClose: () => void;
}

export function RecordFoot(props: RecordFootProps) {
  return (
    <>
      <label class={styles['check']}>
        <input type="checkbox" name="enabled" checked={props.isEnabled} /> {props.enabledLabel}
      </label>
      <Show when={props.form.problem()}>
        <p role="alert" class={styles['error']}>
          {props.form.problem()}
        </p>
      </Show>
      <div class={styles['buttons']}>
        <Button onClick={() => props.onClose()}>{t('common.cancel')}</Button>
        <Button look="primary" type="submit" disabled={props.form.isBusy()}>
          {props.submitLabel}
        </Button>
      </div>
    </>
  );
}
