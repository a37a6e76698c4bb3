// What was moved on each day: two bars side by side.
import { createMemo, createSignal, Show } from 'solid-js';
import uPlot from 'uplot';
import { bytes, ratio } from '../../format/quantities.js';
import { t } from '../../strings/index.js';
import { inLanguage } from '../../strings/locale.js';
import { axesOf, Chart, topOf, type Colors } from './chart.jsx';
import type { Day } from './periods.js';
import styles from './statistics.module.css';

/** The share of a day's place that a bar takes: there are two. */
const WIDTH = 0.4;
const MAX_WIDTH_PX = 26;
/** Days between two labels. */
const INCREMENTS = [1, 2, 5, 7, 14, 30, 60, 90];
const UTC = 'UTC';
const labels = inLanguage(
  (locale) => new Intl.DateTimeFormat(locale, { day: 'numeric', month: 'short', timeZone: UTC }),
);
const dates = inLanguage((locale) => new Intl.DateTimeFormat(locale, { dateStyle: 'medium', timeZone: UTC }));

export default function DayBars(props: { readonly days: readonly Day[] }) {
  const [pointed, setPointed] = createSignal<number | null>(null);
  const data = createMemo((): uPlot.AlignedData => [
    props.days.map((_, index) => index),
    props.days.map(({ down }) => down || null),
    props.days.map(({ up }) => up || null),
  ]);
  const count = createMemo(() => props.days.length);
  const options = (colors: Colors) => {
    const last = count();
    const bar = (align: 1 | -1) => uPlot.paths.bars!({ size: [WIDTH, MAX_WIDTH_PX], align });
    const labelOf = (index: number) => {
      const day = props.days[index];
      return day ? labels().format(day.at * 1000) : '';
    };
    const x = { incrs: INCREMENTS, values: (_chart: uPlot, indices: number[]) => indices.map(labelOf) };
    return {
      ...axesOf(colors, x, bytes),
      scales: { x: { time: false, range: () => [-0.6, last - 0.4] as [number, number] }, y: { range: topOf } },
      series: [
        {},
        { stroke: colors('--accent'), fill: colors('--accent'), paths: bar(-1), points: { show: false } },
        { stroke: colors('--good'), fill: colors('--good'), paths: bar(1), points: { show: false } },
      ],
    } satisfies Omit<uPlot.Options, 'width' | 'height'>;
  };
  const day = () => (pointed() === null ? undefined : props.days[pointed()!]);
  return (
    <>
      <Chart label={t('statistics.days.title')} options={options} data={data()} onPoint={setPointed} />
      <p class={styles['figures']}>
        <Show when={day()} fallback={t('statistics.days.hint')}>
          {(each) =>
            t('statistics.days.legend', {
              day: dates().format(each().at * 1000),
              down: bytes(each().down),
              up: bytes(each().up),
              ratio: each().down > 0 ? ratio(each().up / each().down) : '–',
            })
          }
        </Show>
      </p>
    </>
  );
}
