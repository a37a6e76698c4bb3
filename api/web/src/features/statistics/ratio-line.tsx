// How the ratio of all that was moved went from day to day.
import { createMemo, createSignal, Show } from 'solid-js';
import type uPlot from 'uplot';
import { ratio } from '../../format/quantities.js';
import { t } from '../../strings/index.js';
import { inLanguage } from '../../strings/locale.js';
import { axesOf, Chart, type Colors } from './chart.jsx';
import type { Day } from './periods.js';
import { ratiosOf, type Totals } from './ratios.js';
import styles from './statistics.module.css';

/** Days between two labels. */
const INCREMENTS = [1, 2, 5, 7, 14, 30, 60, 90];
/** Between two lines of the axis upwards. */
const STEPS = [0.01, 0.02, 0.05, 0.1, 0.2, 0.5, 1, 2, 5, 10, 20, 50, 100, 200, 500, 1_000, 2_000, 5_000, 10_000];
const UTC = 'UTC';
const labels = inLanguage(
  (locale) => new Intl.DateTimeFormat(locale, { day: 'numeric', month: 'short', timeZone: UTC }),
);
const dates = inLanguage((locale) => new Intl.DateTimeFormat(locale, { dateStyle: 'medium', timeZone: UTC }));

export default function RatioLine(props: { readonly days: readonly Day[]; readonly totals: Totals }) {
  const [pointed, setPointed] = createSignal<number | null>(null);
  const ratios = createMemo(() => ratiosOf(props.days, props.totals));
  const data = createMemo((): uPlot.AlignedData => [props.days.map((_, index) => index), [...ratios()]]);
  const options = (colors: Colors) => {
    const labelOf = (index: number) => {
      const day = props.days[index];
      return day ? labels().format(day.at * 1000) : '';
    };
    const x = { incrs: INCREMENTS, values: (_chart: uPlot, indices: number[]) => indices.map(labelOf) };
    return {
      ...axesOf(colors, x, ratio, STEPS),
      scales: {
        x: { time: false },
        y: { range: (_chart: uPlot, _min: number, max: number) => [0, Math.max(1, (max || 0) * 1.1)] },
      },
      series: [
        {},
        { stroke: colors('--accent'), fill: `${colors('--accent')}33`, width: 1.5, points: { show: false } },
      ],
    } satisfies Omit<uPlot.Options, 'width' | 'height'>;
  };
  const written = (each: number | null | undefined) => (each === null || each === undefined ? '–' : ratio(each));
  const day = () => (pointed() === null ? undefined : props.days[pointed()!]);
  return (
    <>
      <Chart label={t('statistics.ratio.title')} options={options} data={data()} onPoint={setPointed} />
      <p class={styles['figures']}>
        <Show
          when={day()}
          fallback={t('statistics.ratio.summary', { first: written(ratios()[0]), now: written(ratios().at(-1)) })}
        >
          {(each) =>
            t('statistics.ratio.legend', {
              day: dates().format(each().at * 1000),
              ratio: written(ratios()[pointed()!]),
            })
          }
        </Show>
      </p>
    </>
  );
}
