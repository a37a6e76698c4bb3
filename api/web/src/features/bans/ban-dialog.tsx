// Asks once before a peer is banned: by its address, or by the network that an IPv6 peer changes its address within.
import { createEffect, createSignal, on, Show } from 'solid-js';
import { attempt } from '../../actions/perform.js';
import { inert } from '../../format/quantities.js';
import { call } from '../../net/http.js';
import { t } from '../../strings/index.js';
import { Button } from '../../ui/button.jsx';
import { Dialog } from '../../ui/dialog.jsx';
import { showNote } from '../../ui/toasts.jsx';
import forms from '../details/forms.module.css';
import styles from './bans.module.css';

export interface BanDialogProps {
  /** The peer's address without its port; null: no peer is to be banned. */
  readonly address: string | null;
  readonly onClose: () => void;
}

export default function BanDialog(props: BanDialogProps) {
  const [isNetwork, setIsNetwork] = createSignal(false);
  const [isBusy, setIsBusy] = createSignal(false);
  createEffect(
    on(
      () => props.address,
      () => setIsNetwork(false),
    ),
  );
  const ban = async (address: string) => {
    if (isBusy()) return;
    setIsBusy(true);
    const body = { addresses: [isNetwork() ? `${address}/64` : address] };
    const isDone = (await attempt(() => call('POST', '/api/bans', body))) !== null;
    setIsBusy(false);
    if (!isDone) return;
    showNote({ look: 'good', text: t('bans.peer.done', { address: inert(address) }) });
    props.onClose();
  };
  return (
    <Dialog size="small" title={t('bans.peer.title')} isOpen={props.address !== null} onClose={props.onClose}>
      <Show when={props.address} keyed>
        {(address) => (
          <>
            <p class={styles['text']}>{t('bans.peer.text', { address: inert(address) })}</p>
            <Show when={address.includes(':')}>
              <label class={styles['check']}>
                <input
                  type="checkbox"
                  checked={isNetwork()}
                  onChange={(event) => setIsNetwork(event.currentTarget.checked)}
                />
                {t('bans.peer.network')}
              </label>
            </Show>
            <div class={forms['buttons']}>
              <Button onClick={() => props.onClose()}>{t('common.cancel')}</Button>
              <Button look="danger" disabled={isBusy()} onClick={() => void ban(address)}>
                {t('bans.peer.confirm')}
              </Button>
            </div>
          </>
        )}
      </Show>
    </Dialog>
  );
}
