// What was completed last, and what is wrong now; each leads to the torrent.
import { For, Show } from 'solid-js';
import { bytes, inert, recentTime } from '../../format/quantities.js';
import type { Torrent } from '../../live/messages.js';
import { messageOf, problemOf } from '../../state/torrent-state.js';
import { t, type TextKey } from '../../strings/index.js';
import styles from './statistics.module.css';
import { serverNowMs } from '../../net/server-clock.js';

const SHOWN = 8;

export interface LatelyProps {
  readonly torrents: readonly Torrent[];
  readonly onOpen: (id: string) => void;
}

export function Lately(props: LatelyProps) {
  const finished = () =>
    props.torrents
      // Those that were found on disk did not complete here.
      .filter(({ completed_at, total_down }) => completed_at !== null && total_down > 0)
      .sort((a, b) => (b.completed_at ?? 0) - (a.completed_at ?? 0))
      .slice(0, SHOWN);
  const failing = () => props.torrents.filter((torrent) => problemOf(torrent) !== null).slice(0, SHOWN);
  return (
    <>
      <Torrents
        title="statistics.finished"
        none="statistics.noneFinished"
        torrents={finished()}
        told={({ completed_at, total_bytes }) =>
          `${recentTime(completed_at ?? 0, serverNowMs())} · ${bytes(total_bytes)}`
        }
        onOpen={props.onOpen}
      />
      <Torrents
        title="statistics.failing"
        none="statistics.noneFailing"
        torrents={failing()}
        told={(torrent) => `${t(`problem.${problemOf(torrent) ?? 'error'}`)}: ${inert(messageOf(torrent))}`}
        onOpen={props.onOpen}
      />
    </>
  );
}

function Torrents(props: {
  readonly title: TextKey;
  readonly none: TextKey;
  readonly torrents: readonly Torrent[];
  readonly told: (torrent: Torrent) => string;
  readonly onOpen: (id: string) => void;
}) {
  return (
    <section class={styles['card']} aria-label={t(props.title)}>
      <h2>{t(props.title)}</h2>
      <Show when={props.torrents.length > 0} fallback={<p class={styles['muted']}>{t(props.none)}</p>}>
        <ul class={styles['list']}>
          <For each={props.torrents}>
            {(torrent) => (
              <li>
                <button type="button" onClick={() => props.onOpen(torrent.id)}>
                  <span class={styles['name']}>{inert(torrent.name)}</span>
                  <span class={styles['muted']}>{props.told(torrent)}</span>
                </button>
              </li>
            )}
          </For>
        </ul>
      </Show>
    </section>
  );
}
