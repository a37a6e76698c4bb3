// The HTTP sources of the torrent's data, where it has any.
import { For, Show } from 'solid-js';
import type { WebSeedDto } from '../../../../../shared-protocol/dto/inspector.js';
import { bytes, inert, rate } from '../../format/quantities.js';
import { t } from '../../strings/index.js';
import styles from './table.module.css';

export function WebSeeds(props: { readonly seeds: readonly WebSeedDto[] }) {
  return (
    <Show when={props.seeds.length > 0}>
      <div class={styles['scroll']}>
        <table class={styles['table']} aria-label={t('verbs.trackers.webSeeds')}>
          <thead>
            <tr>
              <th>{t('verbs.trackers.webSeeds')}</th>
              <th>{t('details.trackers.status')}</th>
              <th>{t('verbs.trackers.kind')}</th>
              <th data-numeric="true">{t('verbs.trackers.down')}</th>
              <th data-numeric="true">{t('verbs.trackers.received')}</th>
            </tr>
          </thead>
          <tbody>
            <For each={props.seeds}>
              {(seed) => (
                <tr>
                  <td class={`${styles['url']} ${styles['lead']}`} title={inert(seed.url)}>
                    {inert(seed.url)}
                  </td>
                  <td class={styles['status']} data-look={LOOKS[seed.state]}>
                    {t(`verbs.trackers.state.${seed.state}`)}
                  </td>
                  <td data-label={t('verbs.trackers.kind')}>{t(`verbs.trackers.form.${seed.form}`)}</td>
                  <td data-numeric="true" data-label={t('verbs.trackers.down')}>
                    {rate(seed.download_rate)}
                  </td>
                  <td data-numeric="true" data-label={t('verbs.trackers.received')}>
                    {bytes(seed.total_down)}
                  </td>
                </tr>
              )}
            </For>
          </tbody>
        </table>
      </div>
    </Show>
  );
}

const LOOKS = { idle: undefined, connected: 'good', waiting: undefined, banned: 'bad' } as const;
