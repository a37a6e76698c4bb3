// Asks whether the data goes as well, and says how much that is. The answer can be undone for some seconds.
import { createSignal, For, Show } from 'solid-js';
import { removeSoon } from '../../actions/pending-removals.js';
import { bytes, inert } from '../../format/quantities.js';
import type { Torrent } from '../../live/messages.js';
import { t } from '../../strings/index.js';
import { Button } from '../../ui/button.jsx';
import { Dialog } from '../../ui/dialog.jsx';
import styles from './remove-dialog.module.css';

/** More would push the buttons off the screen. */
const NAMED = 5;

/** The answer of the last time, for as long as the page lives: the next question is mostly of the same kind. */
const [withData, setWithData] = createSignal(false);

export interface RemoveDialogProps {
  readonly torrents: readonly Torrent[];
  readonly onRemoved: () => void;
  readonly onClose: () => void;
}

export default function RemoveDialog(props: RemoveDialogProps) {
  const remove = (event: SubmitEvent) => {
    event.preventDefault();
    removeSoon(props.torrents, withData());
    props.onRemoved();
    props.onClose();
  };
  const effect = () => {
    const sum = props.torrents.reduce((all, { bytes_done }) => all + bytes_done, 0);
    if (sum === 0) return '';
    const size = bytes(sum);
    if (!withData()) return t('remove.keeps', { size });
    // Paths of different servers are different ones.
    const [path, ...others] = new Set(
      props.torrents.map(({ save_path, server_id: server }) => (server ? '' : save_path)),
    );
    return path && others.length === 0 ? t('remove.freesIn', { size, path: inert(path) }) : t('remove.frees', { size });
  };
  return (
    <Dialog
      size="small"
      title={t('remove.title', { count: props.torrents.length })}
      isOpen={props.torrents.length > 0}
      onClose={props.onClose}
    >
      <form class={styles['form']} onSubmit={remove}>
        <ul class={styles['torrents']}>
          <For each={props.torrents.slice(0, NAMED)}>
            {({ name, bytes_done }) => (
              <li>
                <span class={styles['name']} title={inert(name)}>
                  {inert(name)}
                </span>
                <span class="muted">{bytes(bytes_done)}</span>
              </li>
            )}
          </For>
          <Show when={props.torrents.length > NAMED}>
            <li class="muted">{t('remove.others', { count: props.torrents.length - NAMED })}</li>
          </Show>
        </ul>
        <label class={styles['check']}>
          <input type="checkbox" checked={withData()} onChange={(event) => setWithData(event.currentTarget.checked)} />
          {t('remove.withData')}
        </label>
        <p class="muted" role="status">
          {effect()}
        </p>
        <div class={styles['buttons']}>
          <Button onClick={() => props.onClose()}>{t('common.cancel')}</Button>
          <Button type="submit" look="danger">
            {t('remove.confirm')}
          </Button>
        </div>
      </form>
    </Dialog>
  );
}
