// How far the torrent's move to another save path is, with a way to end it; and why the last one failed.
import { createEffect, createSignal, on, onCleanup, Show, type Accessor } from 'solid-js';
import type { MoveDto } from '../../../../../shared-protocol/dto/torrents.js';
import { attempt } from '../../actions/perform.js';
import { refusedToEdit } from '../../actions/permitted.js';
import { bytes, inert, percent } from '../../format/quantities.js';
import type { Torrent } from '../../live/messages.js';
import { call } from '../../net/http.js';
import { torrentAddress } from '../../state/row-id.js';
import { t } from '../../strings/index.js';
import { Button } from '../../ui/button.jsx';
import { showNote } from '../../ui/toasts.jsx';
import styles from './move-progress.module.css';

const LOOK_EVERY_MS = 1_000;

export function MoveProgress(props: { readonly torrent: Accessor<Torrent> }) {
  const path = () => torrentAddress(props.torrent().id, '/move');
  const [move, setMove] = createSignal<MoveDto | null>(null);
  const look = async () => {
    const answer = await call<MoveDto>('GET', path()).catch(() => null);
    if (answer) setMove(answer.state === 'none' ? null : answer);
  };
  // Once at first, while it goes on, and once more when it has ended: it may have failed.
  createEffect(
    on(
      () => props.torrent().moving,
      (isMoving) => {
        void look();
        if (!isMoving) return;
        const timer = setInterval(() => void look(), LOOK_EVERY_MS);
        onCleanup(() => clearInterval(timer));
      },
    ),
  );
  const end = async (hasFailed: boolean) => {
    if ((await attempt(() => call('DELETE', path()))) === null) return;
    if (!hasFailed) showNote({ text: t('verbs.move.cancelled') });
    await look();
  };
  const part = ({ bytes_done, bytes_total }: MoveDto) => (bytes_total === 0 ? 0 : bytes_done / bytes_total);
  const textOf = (now: MoveDto) => {
    if (now.state === 'failed') return t('verbs.move.failed');
    if (now.state === 'copying') return t('verbs.move.progress', { percent: percent(part(now)) });
    return t(`verbs.move.${now.state === 'cleaning' ? 'cleaning' : 'waiting'}`);
  };
  return (
    <Show when={move()}>
      {(now) => {
        const hasFailed = () => now().state === 'failed';
        return (
          <section class={styles['move']} data-failed={hasFailed()} aria-label={textOf(now())}>
            <p>
              <strong>{textOf(now())}</strong>{' '}
              <Show when={hasFailed()} fallback={t('verbs.move.to', { path: inert(now().path ?? '') })}>
                {inert(now().error ?? '')}
              </Show>
            </p>
            <Show when={!hasFailed()}>
              <progress max={1} value={part(now())} aria-label={textOf(now())} />
              <span class="muted">
                {bytes(now().bytes_done)} / {bytes(now().bytes_total)}
              </span>
            </Show>
            <Button refused={refusedToEdit([props.torrent()])} onClick={() => void end(hasFailed())}>
              {t(hasFailed() ? 'verbs.move.dismiss' : 'verbs.move.cancel')}
            </Button>
          </section>
        );
      }}
    </Show>
  );
}
