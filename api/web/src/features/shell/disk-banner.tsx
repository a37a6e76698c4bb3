// Says that a disk refuses writes, on each page, for as long as torrents wait for it.
import { createMemo, Show } from 'solid-js';
import type { Torrents } from '../../state/torrents.js';
import { t } from '../../strings/index.js';
import { Button } from '../../ui/button.jsx';
import { Icon } from '../../ui/icons.jsx';
import { diskTroubleText } from './disk-trouble-text.js';
import styles from './shell.module.css';

export interface DiskBannerProps {
  readonly torrents: Torrents;
  readonly onShow: () => void;
}

export function DiskBanner(props: DiskBannerProps) {
  const waiting = createMemo(() => props.torrents.facets.count('state:disk'));
  const text = createMemo(() => (waiting() === 0 ? '' : diskTroubleText(props.torrents.all.values(), waiting())));
  return (
    <div role="status">
      <Show when={waiting() > 0}>
        <div class={styles['banner']} data-look="bad">
          <Icon name="warning" />
          {text()}
          <Button onClick={() => props.onShow()}>{t('problem.show')}</Button>
        </div>
      </Show>
    </div>
  );
}
