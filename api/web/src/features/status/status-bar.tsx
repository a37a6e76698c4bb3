// Below the list, or at the end of a phone's drawer: how fast it goes, what was moved so far, how much room is left, and
// whether peers find the way. The same figures in both places; which are shown where there is little room, the style says.
import { createMemo, Show } from 'solid-js';
import type { DiskDto, StatusDto } from '../../../../../shared-protocol/dto/status.js';
import { bytes, count, date, duration, rate, ratio } from '../../format/quantities.js';
import { isConnectionLost, isEngineAway } from '../../state/activity.js';
import type { Live } from '../../state/live.js';
import { t, type TextKey } from '../../strings/index.js';
import { Icon } from '../../ui/icons.jsx';
import { diskShown, diskTexts, isNearlyFull } from './disks.js';
import { createRecentRates } from './recent-rates.js';
import { Sparkline } from './sparkline.jsx';
import { createStatus } from './status-poll.js';
import styles from './status.module.css';

export interface StatusBarProps {
  readonly live: Live;
  readonly look: 'bar' | 'stack';
}

export default function StatusBar(props: StatusBarProps) {
  const status = createStatus(props.live);
  const samples = createRecentRates(props.live);
  const isAway = () => isEngineAway(props.live.stats());
  const isStale = () => isConnectionLost(props.live.connection.state()) || isAway();
  return (
    <section class={styles['status']} data-look={props.look} data-stale={isStale()} aria-label={t('status.title')}>
      <Show when={status()}>
        {(known) => (
          <>
            {/* An engine that is away cannot say. */}
            <Show when={!isAway()}>
              <Network status={known()} />
            </Show>
            <Show when={diskShown(known().disks)}>{(disk) => <Room disk={disk()} disks={known().disks} />}</Show>
            <span class={styles['space']} />
            <Moved status={known()} />
          </>
        )}
      </Show>
      <Sparkline samples={samples()} />
      <Show when={status()}>{(known) => <Speeds status={known()} live={props.live} isStale={isStale()} />}</Show>
    </section>
  );
}

function Network(props: { readonly status: StatusDto }) {
  const dht = () => props.status.dht;
  const dhtText = () =>
    dht().enabled
      ? dht().nodes > 0
        ? t('status.dht.nodes', { count: dht().nodes })
        : t('status.dht.none')
      : t('status.dht.off');
  return (
    <>
      <span class={styles['part']} data-part="port" title={portText(props.status.port)}>
        <span class={styles['dot']} data-state={props.status.port.state} />
        {t('status.port.name')}
        <span class="visually-hidden">{portText(props.status.port)}</span>
      </span>
      <span class={styles['part']} data-part="dht" title={dhtText()}>
        <span class={styles['dot']} data-state={dht().enabled ? (dht().nodes > 0 ? 'reachable' : 'unknown') : 'off'} />
        {t('status.dht.name')}
        <Show when={dht().enabled}>
          <strong>{count(dht().nodes)}</strong>
        </Show>
        <span class="visually-hidden">{dhtText()}</span>
      </span>
    </>
  );
}

function portText({ state, number }: StatusDto['port']): string {
  if (state === 'closed' || number === undefined) return t(`status.port.${state}`);
  // A port is a name: without separators.
  return t(`status.port.${state}At`, { port: String(number) });
}

function Room(props: { readonly disk: DiskDto; readonly disks: readonly DiskDto[] }) {
  const used = () => {
    const { total_bytes: total, free_bytes: free } = props.disk;
    return total && free !== null ? 1 - free / total : 0;
  };
  const free = () => props.disk.free_bytes;
  return (
    <span
      class={styles['part']}
      data-part="room"
      data-full={isNearlyFull(props.disk)}
      title={diskTexts(props.disks).join('\n')}
    >
      <span class={styles['gauge']} aria-hidden="true">
        <span style={{ width: `${(100 * used()).toFixed(1)}%` }} />
      </span>
      {free() === null ? t('status.freeUnknown') : t('status.free', { free: bytes(free() ?? 0) })}
    </span>
  );
}

function Moved(props: { readonly status: StatusDto }) {
  const session = () => props.status.session;
  const total = () => props.status.all_time;
  const values = ({ down, up }: { readonly down: number; readonly up: number }) => ({
    down: bytes(down),
    up: bytes(up),
  });
  return (
    <>
      <Bytes
        part="session"
        name="status.session"
        title={t('status.sessionHelp', { uptime: duration(props.status.uptime), ...values(session()) })}
        moved={session()}
      />
      <Bytes
        part="total"
        name="status.total"
        title={
          total().since === 0
            ? t('status.totalNone')
            : t('status.totalHelp', { date: date(total().since), ...values(total()) })
        }
        moved={total()}
      />
      <span class={styles['part']} data-part="ratio" title={t('status.ratioHelp')}>
        {t('status.ratio')}
        <strong>{props.status.ratio === null ? t('status.noRatio') : ratio(props.status.ratio)}</strong>
      </span>
    </>
  );
}

function Bytes(props: {
  readonly part: string;
  readonly name: TextKey;
  readonly title: string;
  readonly moved: StatusDto['session'];
}) {
  return (
    <span class={styles['part']} data-part={props.part} title={props.title}>
      {t(props.name)}
      <strong>
        <Icon name="down" size={12} />
        {bytes(props.moved.down)}
      </strong>
      <strong>
        <Icon name="up" size={12} />
        {bytes(props.moved.up)}
      </strong>
    </span>
  );
}

function Speeds(props: { readonly status: StatusDto; readonly live: Live; readonly isStale: boolean }) {
  const stats = () => props.live.stats();
  return (
    <>
      <Speed
        way="down"
        rate={props.isStale ? null : stats().total_download_rate}
        kbps={props.status.limits.down_kbps}
        limits={props.status.limits}
      />
      <Speed
        way="up"
        rate={props.isStale ? null : stats().total_upload_rate}
        kbps={props.status.limits.up_kbps}
        limits={props.status.limits}
      />
    </>
  );
}

function Speed(props: {
  readonly way: 'down' | 'up';
  readonly rate: number | null;
  readonly kbps: number;
  readonly limits: StatusDto['limits'];
}) {
  const limit = createMemo(() => (props.kbps === 0 ? null : rate(props.kbps * 1024)));
  const limitText = () => {
    const { source, rule_id } = props.limits;
    const text = limit();
    return text === null
      ? t('status.noLimit')
      : t(`status.limitBy.${source}`, { rate: text, id: String(rule_id ?? '') });
  };
  return (
    <span class={styles['part']} data-part={props.way} title={limitText()}>
      <Icon name={props.way} size={14} />
      <strong>{props.rate === null ? '–' : rate(props.rate) || '0 B/s'}</strong>
      <Show when={limit()}>{(text) => <span class={styles['limit']}>{t('status.limit', { rate: text() })}</span>}</Show>
    </span>
  );
}
