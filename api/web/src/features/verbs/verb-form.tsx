// The frame of a window in which something is done: its fields, what hindered it, and the button that does it.
import { createEffect, createSignal, on, Show, type JSX } from 'solid-js';
import { inert } from '../../format/quantities.js';
import type { Torrent } from '../../live/messages.js';
import { ApiError } from '../../net/http.js';
import { t } from '../../strings/index.js';
import { Button } from '../../ui/button.jsx';
import { Dialog, firstField } from '../../ui/dialog.jsx';
import dialog from '../../ui/dialog.module.css';
import styles from './verbs.module.css';

export interface VerbFormProps {
  readonly title: string;
  readonly submit: string;
  readonly size?: 'small' | 'medium' | 'large';
  /** Named above the fields where there is one alone. */
  readonly torrents?: readonly Pick<Torrent, 'name'>[];
  /** Why it cannot be done as it stands; said when it is tried. */
  readonly problem?: string | null;
  readonly isDisabled?: boolean;
  /** Whether its fields wait for what they are to show. */
  readonly isLoading?: boolean;
  readonly onClose: () => void;
  /** Whether it was done, and the window is to close. @throws ApiError, which is shown */
  readonly onSubmit: () => Promise<boolean>;
  readonly children: JSX.Element;
}

export function VerbForm(props: VerbFormProps) {
  const [error, setError] = createSignal<string | null>(null);
  const [isBusy, setIsBusy] = createSignal(false);
  let form!: HTMLFormElement;
  createEffect(
    on(
      () => props.isLoading,
      (isLoading, wasLoading) => {
        // Who has gone on by a key stays there.
        if (wasLoading && !isLoading && !form.contains(document.activeElement)) firstField(form)?.focus();
      },
    ),
  );
  const submit = async (event: SubmitEvent) => {
    event.preventDefault();
    if (isBusy()) return;
    setError(props.problem ?? null);
    if (props.problem) return;
    setIsBusy(true);
    try {
      if (await props.onSubmit()) props.onClose();
    } catch (thrown) {
      if (!(thrown instanceof ApiError)) throw thrown;
      setError(thrown.message);
    } finally {
      setIsBusy(false);
    }
  };
  return (
    <Dialog title={props.title} size={props.size ?? 'medium'} isOpen onClose={props.onClose}>
      <form ref={form} class={styles['form']} noValidate onSubmit={(event) => void submit(event)}>
        <Show when={props.torrents?.length === 1 && props.torrents[0]}>
          {(only) => <p class={styles['name']}>{inert(only().name)}</p>}
        </Show>
        {props.children}
        <div class={`${styles['buttons']} ${dialog['footer']}`}>
          <span class={styles['error']} role="alert">
            {error()}
          </span>
          <Button onClick={() => props.onClose()}>{t('common.cancel')}</Button>
          <Button look="primary" type="submit" disabled={isBusy() || props.isLoading || props.isDisabled}>
            {props.submit}
          </Button>
        </div>
      </form>
    </Dialog>
  );
}
