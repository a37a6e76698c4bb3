// Signing in: a page of its own for the first time, and a window over the page that stays when a session has ended.
import { onMount, Show } from 'solid-js';
import { Portal } from 'solid-js/web';
import { sessionState } from '../../state/session.js';
import { t } from '../../strings/index.js';
import { SignInForm } from './sign-in-form.jsx';
import styles from './sign-in.module.css';

export function SignIn() {
  const hasEnded = () => {
    const state = sessionState();
    return state.kind === 'signedOut' && state.hasEnded;
  };
  return (
    <Show
      when={hasEnded()}
      fallback={
        <main class={styles['page']}>
          <SignInForm />
        </main>
      }
    >
      <Portal>
        <Over />
      </Portal>
    </Show>
  );
}

/**
 * The browser's own modal: everything else, open windows included, can be neither reached nor clicked until a user is
 * signed in. Beside the page, as an open window hides the page from screen readers; the attribute keeps that window
 * from hiding this one, and from taking a click here for one that closes it.
 */
function Over() {
  let dialog!: HTMLDialogElement;
  onMount(() => dialog.showModal());
  return (
    <dialog
      ref={dialog}
      class={styles['over']}
      aria-label={t('signIn.title')}
      data-kb-top-layer=""
      onKeyDown={(event) => event.key === 'Escape' && event.preventDefault()}
      onCancel={(event) => event.preventDefault()}
      onClose={() => dialog.isConnected && dialog.showModal()}
    >
      <SignInForm />
    </dialog>
  );
}
