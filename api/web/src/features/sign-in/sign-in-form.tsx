// User name and password, and how long to wait after too many attempts.
import { createResource, createSignal, onCleanup, Show } from 'solid-js';
import { ApiError } from '../../net/http.js';
import { lastUsername, sessionState, signIn, signInByProxy } from '../../state/session.js';
import { signInWays, singleSignOnProblem } from '../../state/single-sign-on.js';
import { t } from '../../strings/index.js';
import { Button } from '../../ui/button.jsx';
import { Field } from '../../ui/field.jsx';
import styles from './sign-in.module.css';

const SECOND_MS = 1_000;

export function SignInForm() {
  const [error, setError] = createSignal<string | null>(null);
  const [waitUntilMs, setWaitUntilMs] = createSignal(0);
  const [nowMs, setNowMs] = createSignal(Date.now());
  const [isBusy, setIsBusy] = createSignal(false);
  const timer = setInterval(() => setNowMs(Date.now()), SECOND_MS);
  onCleanup(() => clearInterval(timer));
  const waitS = () => Math.max(0, Math.ceil((waitUntilMs() - nowMs()) / SECOND_MS));
  const [ways] = createResource(() => signInWays().catch(() => null));

  const submit = async (event: SubmitEvent & { readonly currentTarget: HTMLFormElement }) => {
    event.preventDefault();
    const form = event.currentTarget;
    const typed = new FormData(form);
    setError(null);
    setIsBusy(true);
    try {
      await signIn(String(typed.get('username')), String(typed.get('password')));
    } catch (thrown) {
      if (!(thrown instanceof ApiError)) throw thrown;
      // Read once: a millisecond between two looks would be shown as a second more.
      const now = setNowMs(Date.now());
      if (thrown.status === 429) setWaitUntilMs(now + (thrown.retryAfterS ?? 0) * SECOND_MS);
      else setError(thrown.status === 401 ? t('signIn.wrong') : thrown.message);
      form.querySelector<HTMLInputElement>('[name="password"]')?.select();
    } finally {
      setIsBusy(false);
    }
  };

  const ended = () => {
    const state = sessionState();
    if (state.kind !== 'signedOut') return null;
    if (state.why !== null) return t(`signIn.endedBy.${state.why}`);
    return state.hasEnded ? t('signIn.ended') : null;
  };
  const known = ended() === null ? '' : lastUsername();
  const problem = () => (waitS() > 0 ? t('signIn.wait', { count: waitS() }) : error());
  const help = () => {
    if (ways.loading || ways()?.proxy_sign_in || ended() !== null) return '';
    return t(ways()?.flavor === 'desktop' ? 'signIn.desktop' : 'signIn.firstStart');
  };
  return (
    <form class={styles['form']} onSubmit={(event) => void submit(event)}>
      <div>
        <h1>{t('app.name')}</h1>
        <p class="muted">{t('signIn.about')}</p>
      </div>
      <Show when={ended()}>
        <p role="status">{ended()}</p>
      </Show>
      <Field label={t('signIn.username')}>
        {(control) => (
          <input
            {...control}
            name="username"
            autocomplete="username"
            autocapitalize="off"
            spellcheck={false}
            required
            autofocus={known === ''}
            value={known}
          />
        )}
      </Field>
      <Field label={t('signIn.password')} error={problem()} help={help()}>
        {(control) => (
          <input
            {...control}
            name="password"
            type="password"
            autocomplete="current-password"
            required
            autofocus={known !== ''}
          />
        )}
      </Field>
      <Button look="primary" type="submit" disabled={isBusy() || waitS() > 0}>
        {t('signIn.submit')}
      </Button>
      <Show when={ways()?.proxy_sign_in}>
        <div class={styles['otherWay']}>
          <Button onClick={() => void signInByProxy()}>{t('signIn.byProxy')}</Button>
          <Show when={singleSignOnProblem()}>{(reason) => <p role="alert">{reason()}</p>}</Show>
        </div>
      </Show>
    </form>
  );
}
