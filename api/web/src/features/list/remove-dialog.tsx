// Asks whether the data goes as well. The answer can be undone for some seconds.
import { createSignal, For, Show } from 'solid-js';
import { removeSoon } from '../../actions/pending-removals.js';
import { inert } from '../../format/quantities.js';
import type { Torrent } from '../../live/messages.js';
import { t } from '../../strings/index.js';
import { Button } from '../../ui/button.jsx';
import { Dialog } from '../../ui/dialog.jsx';
import styles from './torrents-page.module.css';

/** More would push the buttons off the screen. */
const NAMED = 5;

export interface RemoveDialogProps {
  readonly torrents: readonly Torrent[];
  readonly onRemoved: () => void;
  readonly onClose: () => void;
}

export function RemoveDialog(props: RemoveDialogProps) {
  const [withData, setWithData] = createSignal(false);
  const remove = () => {
    removeSoon(new Set(props.torrents.map(({ id }) => id)), withData());
    setWithData(false);
    props.onRemoved();
    props.onClose();
  };
  return (
    <Dialog
      size="small"
      title={t('remove.title', { count: props.torrents.length })}
      isOpen={props.torrents.length > 0}
      onClose={props.onClose}
    >
      <ul class={styles['names']}>
        <For each={props.torrents.slice(0, NAMED)}>{({ name }) => <li>{inert(name)}</li>}</For>
        <Show when={props.torrents.length > NAMED}>
          <li class="muted">{t('remove.others', { count: props.torrents.length - NAMED })}</li>
        </Show>
      </ul>
      <label class={styles['check']}>
        <input type="checkbox" checked={withData()} onChange={(event) => setWithData(event.currentTarget.checked)} />
        {t('remove.withData')}
      </label>
      <div class={styles['buttons']}>
        <Button onClick={() => props.onClose()}>{t('common.cancel')}</Button>
        <Button look="danger" onClick={remove}>
          {t('remove.confirm')}
        </Button>
      </div>
    </Dialog>
  );
}
