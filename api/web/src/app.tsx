// The whole page: the interface of the user who is signed in, and over it, when the session has ended, the way back in.
import { createEffect, createSignal, Match, onMount, Show, Switch } from 'solid-js';
import { Shell } from './features/shell/shell.jsx';
import { SignIn } from './features/sign-in/sign-in.jsx';
import { refreshSession, sessionState } from './state/session.js';
import { t } from './strings/index.js';
import { Button } from './ui/button.jsx';
import { ToastRegion } from './ui/toasts.jsx';

export function App() {
  onMount(() => void refreshSession());
  // Stays through the end of a session: the same account goes on where it was, another begins anew.
  const [accountId, setAccountId] = createSignal<number | null>(null);
  createEffect(() => {
    const state = sessionState();
    if (state.kind === 'signedIn') setAccountId(state.me.id);
    if (state.kind === 'signedOut' && !state.hasEnded) setAccountId(null);
  });
  return (
    <>
      <Show when={accountId()} keyed>
        <Shell />
      </Show>
      <Switch>
        <Match when={sessionState().kind === 'signedOut'}>
          <SignIn />
        </Match>
        <Match when={sessionState().kind === 'unreachable'}>
          <main>
            <p role="alert">{t('app.unreachable')}</p>
            <Button onClick={() => void refreshSession()}>{t('app.retryNow')}</Button>
          </main>
        </Match>
      </Switch>
      <ToastRegion />
    </>
  );
}
