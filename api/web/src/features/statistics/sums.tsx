// The figures that one looks at first.
import { Show, type JSX } from 'solid-js';
import type { HistoryDto } from '../../../../../shared-protocol/dto/history.js';
import type { StatusDto } from '../../../../../shared-protocol/dto/status.js';
import { bytes, date, duration, ratio } from '../../format/quantities.js';
import { t } from '../../strings/index.js';
import { Icon } from '../../ui/icons.jsx';
import styles from './statistics.module.css';

interface Moved {
  readonly down: number;
  readonly up: number;
}

export function Sums(props: {
  readonly moved: HistoryDto | null;
  readonly status: StatusDto | null;
  readonly period: string;
}) {
  const period = () => props.moved?.total;
  return (
    <dl class={styles['sums']}>
      <Sum name={t('statistics.sums.down')} below={props.period}>
        {period() ? bytes(period()!.down) : '–'}
      </Sum>
      <Sum name={t('statistics.sums.up')} below={props.period}>
        {period() ? bytes(period()!.up) : '–'}
      </Sum>
      <Sum name={t('statistics.sums.ratio')} below={props.period}>
        {ratioOf(period())}
      </Sum>
      <Show when={props.status}>
        {(status) => (
          <>
            <Sum
              name={t('statistics.sums.session')}
              below={t('statistics.sums.uptime', { uptime: duration(status().uptime) })}
            >
              <Both moved={status().session} />
            </Sum>
            <Sum
              name={t('statistics.sums.total')}
              below={
                status().all_time.since > 0 ? t('statistics.sums.since', { date: date(status().all_time.since) }) : ''
              }
            >
              <Both moved={status().all_time} />
            </Sum>
            <Sum name={t('statistics.sums.ratio')} below={t('statistics.sums.total')}>
              {ratioOf(status().all_time)}
            </Sum>
          </>
        )}
      </Show>
    </dl>
  );
}

function Sum(props: { readonly name: string; readonly below: string; readonly children: JSX.Element }) {
  return (
    <div>
      <dt>{props.name}</dt>
      <dd>{props.children}</dd>
      <dd class={styles['muted']}>{props.below}</dd>
    </div>
  );
}

function Both(props: { readonly moved: Moved }) {
  return (
    <>
      <span class={styles['amount']}>
        <Icon name="down" size={14} /> {bytes(props.moved.down)}
      </span>{' '}
      <span class={styles['amount']}>
        <Icon name="up" size={14} /> {bytes(props.moved.up)}
      </span>
    </>
  );
}

function ratioOf(moved: Moved | undefined): string {
  return moved && moved.down > 0 ? ratio(moved.up / moved.down) : '–';
}
