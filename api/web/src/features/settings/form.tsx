// The frame of a form: its fields, why they cannot be changed where they cannot, and saving. A page that has one holds
// back who would leave with unsaved changes; one in a dialog is left with the dialog.
import { createEffect, onCleanup, Show, type JSX } from 'solid-js';
import { t } from '../../strings/index.js';
import { Button } from '../../ui/button.jsx';
import { showNote } from '../../ui/toasts.jsx';
import type { Form } from './create-form.js';
import { LeaveGuard } from './leave-guard.jsx';
import dialog from '../../ui/dialog.module.css';
import styles from './form.module.css';

export interface FormFrameProps<Values extends object> {
  readonly form: Form<Values>;
  /** Why nothing can be changed; null when it can. */
  readonly refused?: string | null;
  /** Why it could not be loaded. */
  readonly loadError?: string | null;
  readonly onRetry?: () => void;
  /** In a dialog: closes it, when it is saved or given up. */
  readonly onClose?: (() => void) | undefined;
  /** Called after a dialog has been closed. @default a note that it is saved, but in a dialog */
  readonly onSaved?: () => void;
  readonly saveLabel?: string;
  readonly children: JSX.Element;
}

export function FormFrame<Values extends object>(props: FormFrameProps<Values>) {
  let element!: HTMLFormElement;
  const submit = async (event: SubmitEvent) => {
    event.preventDefault();
    if (await props.form.submit()) {
      props.onClose?.();
      if (props.onSaved) props.onSaved();
      else if (!props.onClose) showNote({ look: 'good', text: t('settings.form.saved') });
    } else {
      element.querySelector<HTMLElement>('[aria-invalid="true"]')?.focus();
    }
  };
  const warn = (event: BeforeUnloadEvent) => event.preventDefault();
  createEffect(() => {
    if (props.onClose || !props.form.isChanged()) return;
    window.addEventListener('beforeunload', warn);
    onCleanup(() => window.removeEventListener('beforeunload', warn));
  });
  return (
    <form ref={element} class={styles['form']} noValidate onSubmit={(event) => void submit(event)}>
      <Show when={props.refused}>
        <p class={styles['refused']}>{props.refused}</p>
      </Show>
      <Show when={!props.form.isLoaded() && props.loadError}>
        <p class={styles['problem']} role="alert">
          {props.loadError} <Button onClick={() => props.onRetry?.()}>{t('app.retryNow')}</Button>
        </p>
      </Show>
      <fieldset class={styles['fields']} disabled={Boolean(props.refused) || !props.form.isLoaded()}>
        {props.children}
      </fieldset>
      <Show when={!props.refused}>
        <div class={`${styles['buttons']} ${props.onClose ? dialog['footer'] : ''}`}>
          <span class={styles['problem']} role="alert">
            {props.form.problem()}
          </span>
          <Show
            when={props.onClose}
            fallback={
              <Button disabled={!props.form.isChanged() || props.form.isBusy()} onClick={() => props.form.reset()}>
                {t('settings.form.reset')}
              </Button>
            }
          >
            <Button onClick={() => props.onClose?.()}>{t('common.cancel')}</Button>
          </Show>
          <Button
            look="primary"
            type="submit"
            disabled={!props.form.isLoaded() || props.form.isBusy() || (!props.onClose && !props.form.isChanged())}
          >
            {props.saveLabel ?? t('common.save')}
          </Button>
        </div>
      </Show>
      <Show when={!props.onClose}>
        <LeaveGuard isChanged={props.form.isChanged()} />
      </Show>
    </form>
  );
}
