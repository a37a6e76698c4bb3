// One's own API key: it is shown once, when it is made.
import { createSignal, onMount, Show } from 'solid-js';
import { copyText } from '../../actions/copy.js';
import { attempt } from '../../actions/perform.js';
import { call } from '../../net/http.js';
import { me, refreshSession } from '../../state/session.js';
import { t } from '../../strings/index.js';
import { Button } from '../../ui/button.jsx';
import { ConfirmDialog } from '../settings/confirm-dialog.jsx';
import styles from './accounts.module.css';

export function ApiKey() {
  const [key, setKey] = createSignal<string | null>(null);
  const [isAsked, setIsAsked] = createSignal(false);
  const [isBusy, setIsBusy] = createSignal(false);
  const rotate = async () => {
    setIsAsked(false);
    setIsBusy(true);
    const answer = await attempt(() => call<{ readonly api_key: string }>('POST', '/api/me/api_key/rotate'));
    setIsBusy(false);
    if (!answer) return;
    setKey(answer.api_key);
    // For the hint of the new one.
    await refreshSession();
  };
  const now = () => (me().has_api_key ? t('accounts.key.hint', { hint: me().api_key_hint }) : t('accounts.key.none'));
  return (
    <div class={styles['key']}>
      <p>{now()}</p>
      <p class="muted">{t('accounts.key.about')}</p>
      <Show
        when={key()}
        fallback={
          <div>
            <Button disabled={isBusy()} onClick={() => (me().has_api_key ? setIsAsked(true) : void rotate())}>
              {me().has_api_key ? t('accounts.key.rotate') : t('accounts.key.make')}
            </Button>
          </div>
        }
      >
        {(made) => <Made apiKey={made()} onDone={() => setKey(null)} />}
      </Show>
      <ConfirmDialog
        title={t('accounts.key.rotate')}
        text={t('accounts.key.warning')}
        confirm={t('accounts.key.rotate')}
        isOpen={isAsked()}
        onClose={() => setIsAsked(false)}
        onConfirm={() => void rotate()}
      />
    </div>
  );
}

function Made(props: { readonly apiKey: string; readonly onDone: () => void }) {
  let shown!: HTMLInputElement;
  onMount(() => {
    shown.focus();
    shown.select();
  });
  return (
    <div class={styles['made']} role="group" aria-label={t('accounts.key.new')}>
      <p>
        <strong>{t('accounts.key.once')}</strong>
      </p>
      <div class={styles['keyLine']}>
        <input
          ref={shown}
          class="mono"
          readOnly
          aria-label={t('accounts.key.new')}
          value={props.apiKey}
          onFocus={(event) => event.currentTarget.select()}
        />
        <Button look="primary" onClick={() => void copyText(props.apiKey)}>
          {t('accounts.key.copy')}
        </Button>
        <Button onClick={() => props.onDone()}>{t('accounts.key.done')}</Button>
      </div>
    </div>
  );
}
