// How much of something is taken, as a bar; the same stands beside it in words.
import styles from './gauge.module.css';

export interface GaugeProps {
  /** From 0; what is above 1 fills it. */
  readonly share: number;
  /** Taken as well, by something else. @default 0 */
  readonly other?: number;
}

export function Gauge(props: GaugeProps) {
  return (
    <span class={styles['gauge']} aria-hidden="true">
      <span style={{ width: widthOf(props.share) }} />
      <span class={styles['other']} style={{ width: widthOf(props.other ?? 0) }} />
    </span>
  );
}

function widthOf(share: number): string {
  return `${(100 * Math.min(1, Math.max(0, share))).toFixed(1)}%`;
}
