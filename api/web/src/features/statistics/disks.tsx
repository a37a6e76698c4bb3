// How full the disks are, and when they will be at the pace of the last week, or of what is known of it.
import { For, Show } from 'solid-js';
import type { StorageDto, VolumeDto } from '../../../../../shared-protocol/dto/storage.js';
import { bytes, inert } from '../../format/quantities.js';
import { t } from '../../strings/index.js';
import { Gauge } from '../../ui/gauge.jsx';
import { daysUntilFull, paceOf } from './periods.js';
import styles from './statistics.module.css';

const TWO_YEARS_DAYS = 730;
/** Days that leave time to do something. */
const SOON_DAYS = 14;

/** `knownDays`: of the last week, those of which it is known what came. */
export function Disks(props: { readonly storage: StorageDto; readonly knownDays: number }) {
  return (
    <section class={styles['card']} aria-label={t('statistics.disks.title')}>
      <h2>{t('statistics.disks.title')}</h2>
      <For each={props.storage.volumes}>{(volume) => <Disk volume={volume} knownDays={props.knownDays} />}</For>
    </section>
  );
}

function Disk(props: { readonly volume: VolumeDto; readonly knownDays: number }) {
  const used = () => props.volume.used_bytes ?? 0;
  const total = () => props.volume.total_bytes ?? 0;
  const free = () => props.volume.free_bytes ?? 0;
  const perDay = () => paceOf(props.volume.recent_bytes, props.knownDays);
  const days = () => daysUntilFull(free(), perDay());
  const needed = () => Math.max(0, props.volume.size - props.volume.bytes);
  const isBad = () => needed() > free() || (days() ?? Infinity) < SOON_DAYS;
  const forecast = () => {
    const [left, rate] = [days(), perDay()];
    if (props.volume.recent_bytes === 0) return t('statistics.disks.steady');
    if (left === null || rate === null) return '';
    const pace = t('statistics.disks.perDay', { rate: bytes(rate), count: Math.floor(props.knownDays) });
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
        <Show when={forecast()}>{(text) => <p data-forecast>{text()}</p>}</Show>
        <Show when={needed() > free()}>
          <p>{t('statistics.disks.short', { needed: bytes(needed()), free: bytes(free()) })}</p>
        </Show>
      </Show>
    </div>
  );
}
