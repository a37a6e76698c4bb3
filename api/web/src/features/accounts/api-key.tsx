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

export interface ApiKeyProps {
  /** Given the new key, which is shown this once; null when there is none any more. */
  readonly onChange?: (key: string | null) => void;
}

export function ApiKey(props: ApiKeyProps) {
  const [key, setKey] = createSignal<string | null>(null);
  const [asked, setAsked] = createSignal<'rotate' | 'end' | null>(null);
  const [isBusy, setIsBusy] = createSignal(false);
  const rotate = async () => {
    setAsked(null);
    setIsBusy(true);
    const answer = await attempt(() => call<{ readonly api_key: string }>('POST', '/api/me/api_key/rotate'));
    setIsBusy(false);
    if (!answer) return;
    setKey(answer.api_key);
    props.onChange?.(answer.api_key);
    // For the hint of the new one.
    await refreshSession();
  };
  const end = async () => {
    setAsked(null);
    setIsBusy(true);
    await attempt(() => call('DELETE', '/api/me/api_key'));
    setIsBusy(false);
    props.onChange?.(null);
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
          <div class={styles['keyLine']}>
            <Button disabled={isBusy()} onClick={() => (me().has_api_key ? setAsked('rotate') : void rotate())}>
              {me().has_api_key ? t('accounts.key.rotate') : t('accounts.key.make')}
            </Button>
            <Show when={me().has_api_key}>
              <Button disabled={isBusy()} onClick={() => setAsked('end')}>
                {t('accounts.key.end')}
              </Button>
            </Show>
          </div>
        }
      >
        {(made) => <Made apiKey={made()} onDone={() => setKey(null)} />}
      </Show>
      <ConfirmDialog
        title={t('accounts.key.rotate')}
        text={t('accounts.key.warning')}
        confirm={t('accounts.key.rotate')}
        isOpen={asked() === 'rotate'}
        onClose={() => setAsked(null)}
        onConfirm={() => void rotate()}
      />
      <ConfirmDialog
        title={t('accounts.key.endTitle')}
        text={t('accounts.key.warning')}
        confirm={t('accounts.key.end')}
        isOpen={asked() === 'end'}
        onClose={() => setAsked(null)}
        onConfirm={() => void end()}
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
