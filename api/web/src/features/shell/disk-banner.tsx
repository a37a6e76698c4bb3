// Says that a disk refuses writes, on each page, for as long as torrents wait for it.
import { createMemo, Show } from 'solid-js';
import { inert } from '../../format/quantities.js';
import { messageOf, problemOf } from '../../state/torrent-state.js';
import type { Torrents } from '../../state/torrents.js';
import { t } from '../../strings/index.js';
import { Button } from '../../ui/button.jsx';
import { Icon } from '../../ui/icons.jsx';
import styles from './shell.module.css';

export interface DiskBannerProps {
  readonly torrents: Torrents;
  readonly onShow: () => void;
}

export function DiskBanner(props: DiskBannerProps) {
  const waiting = createMemo(() => props.torrents.facets.count('state:disk'));
  const message = createMemo(() => (waiting() === 0 ? '' : firstMessage(props.torrents)));
  return (
    <div role="status">
      <Show when={waiting() > 0}>
        <div class={styles['banner']} data-look="bad">
          <Icon name="warning" />
          {t('problem.onDisk', { message: inert(message()), count: waiting() })}
          <Button onClick={() => props.onShow()}>{t('problem.show')}</Button>
        </div>
      </Show>
    </div>
  );
}

function firstMessage({ all }: Torrents): string {
  for (const torrent of all.values()) {
    if (problemOf(torrent) === 'disk') return messageOf(torrent);
  }
  return '';
}
