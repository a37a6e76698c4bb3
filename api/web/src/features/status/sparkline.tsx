// The rates of the last minutes as a picture of the height of a line: what came down as an area, what went up as a line.
import { rate } from '../../format/quantities.js';
import type { Rates } from '../../state/past-rates.js';
import { t } from '../../strings/index.js';
import { SAMPLES } from './recent-rates.js';
import styles from './status.module.css';

const HEIGHT = 20;
/** Bytes per second that fill the height at least: what trickles is no mountain. */
const MIN_TOP = 10_240;

export function Sparkline(props: { readonly samples: readonly Rates[] }) {
  const highest = (way: keyof Rates) => props.samples.reduce((top, sample) => Math.max(top, sample[way]), 0);
  const top = () => Math.max(MIN_TOP, highest('down'), highest('up'));
  const points = (way: keyof Rates) => pointsOf(props.samples, way, top());
  const told = (way: keyof Rates) => rate(highest(way)) || '0 B/s';
  return (
    <svg
      class={styles['spark']}
      viewBox={`0 0 ${SAMPLES - 1} ${HEIGHT}`}
      preserveAspectRatio="none"
      role="img"
      aria-label={t('status.spark', { down: told('down'), up: told('up') })}
      data-samples={props.samples.length}
    >
      <polygon class={styles['sparkDown']} points={areaOf(points('down'))} />
      <polyline class={styles['sparkUp']} points={points('up').join(' ')} />
    </svg>
  );
}

/** The newest at the right edge. */
function pointsOf(samples: readonly Rates[], way: keyof Rates, top: number): readonly string[] {
  const first = SAMPLES - samples.length;
  return samples.map((sample, index) => {
    const y = HEIGHT - 1 - (sample[way] / top) * (HEIGHT - 2);
    return `${first + index},${y.toFixed(1)}`;
  });
}

function areaOf(points: readonly string[]): string {
  if (points.length === 0) return '';
  const left = points[0]!.split(',')[0];
  return [`${left},${HEIGHT}`, ...points, `${SAMPLES - 1},${HEIGHT}`].join(' ');
}
