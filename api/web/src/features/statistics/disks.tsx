// How full the disks are, and when they will be at the pace of the last week.
import { For, Show } from 'solid-js';
import type { StorageDto, VolumeDto } from '../../../../../shared-protocol/dto/storage.js';
import { bytes, inert } from '../../format/quantities.js';
import { t } from '../../strings/index.js';
import { Gauge } from '../../ui/gauge.jsx';
import { daysUntilFull } from './periods.js';
import styles from './statistics.module.css';

const TWO_YEARS_DAYS = 730;
/** Days that leave time to do something. */
const SOON_DAYS = 14;

export function Disks(props: { readonly storage: StorageDto }) {
  return (
    <section class={styles['card']} aria-label={t('statistics.disks.title')}>
      <h2>{t('statistics.disks.title')}</h2>
      <For each={props.storage.volumes}>{(volume) => <Disk volume={volume} />}</For>
    </section>
  );
}

function Disk(props: { readonly volume: VolumeDto }) {
  const used = () => props.volume.used_bytes ?? 0;
  const total = () => props.volume.total_bytes ?? 0;
  const free = () => props.volume.free_bytes ?? 0;
  const days = () => daysUntilFull(free(), props.volume.recent_bytes);
  const needed = () => Math.max(0, props.volume.size - props.volume.bytes);
  const isBad = () => needed() > free() || (days() ?? Infinity) < SOON_DAYS;
  const forecast = () => {
    const left = days();
    if (left === null) return t('statistics.disks.steady');
    const pace = t('statistics.disks.perDay', { rate: bytes(props.volume.recent_bytes / 7) });
    const when = left > TWO_YEARS_DAYS ? t('statistics.disks.notSoon') : t('statistics.disks.full', { count: left });
    return `${pace} ${when}`;
  };
  return (
    <div class={styles['disk']} data-bad={isBad()}>
      <strong class={styles['where']}>{props.volume.paths.join(', ') || t('statistics.disks.disk')}</strong>
      <Show when={props.volume.engine}>
        {(name) => <span class={styles['muted']}>{t('statistics.disks.engine', { name: inert(name()) })}</span>}
      </Show>
      <Show when={total() > 0} fallback={<p>{t('statistics.disks.unknown')}</p>}>
        <Gauge share={props.volume.bytes / total()} other={(used() - props.volume.bytes) / total()} />
        <p>{t('statistics.disks.used', { used: bytes(used()), total: bytes(total()), free: bytes(free()) })}</p>
        <p class={styles['muted']}>
          {t('statistics.disks.torrents', { count: props.volume.torrents, size: bytes(props.volume.bytes) })}
        </p>
        <p data-forecast>{forecast()}</p>
        <Show when={needed() > free()}>
          <p>{t('statistics.disks.short', { needed: bytes(needed()), free: bytes(free()) })}</p>
        </Show>
      </Show>
    </div>
  );
}
