// How fast it went in the period.
import { createMemo, createSignal, Show } from 'solid-js';
import type uPlot from 'uplot';
import type { RatesDto } from '../../../../../shared-protocol/dto/rates.js';
import { bytes, rate } from '../../format/quantities.js';
import { t } from '../../strings/index.js';
import { inLanguage } from '../../strings/locale.js';
import { axesOf, Chart, topOf, type Colors } from './chart.jsx';
import { stepOf } from './periods.js';
import styles from './statistics.module.css';

const DAY_S = 86_400;
const times = inLanguage((locale) => new Intl.DateTimeFormat(locale, { hour: '2-digit', minute: '2-digit' }));
const days = inLanguage((locale) => new Intl.DateTimeFormat(locale, { day: 'numeric', month: 'short' }));
const moments = inLanguage((locale) => new Intl.DateTimeFormat(locale, { dateStyle: 'medium', timeStyle: 'short' }));

type Column = RatesDto['down'];

export default function SpeedGraph(props: { readonly rates: RatesDto }) {
  const [pointed, setPointed] = createSignal<number | null>(null);
  const data = createMemo((): uPlot.AlignedData => {
    const { from, step, down, up } = props.rates;
    return [down.map((_, index) => from + index * step), [...down], [...up]];
  });
  const isLong = createMemo(() => props.rates.step * props.rates.down.length > 2 * DAY_S);
  const options = (colors: Colors) => {
    const written = isLong() ? days() : times();
    return {
      ...axesOf(
        colors,
        { values: (_chart: uPlot, seconds: number[]) => seconds.map((at) => written.format(at * 1000)) },
        (each) => `${bytes(each)}/s`,
      ),
      scales: { x: { time: true }, y: { range: topOf } },
      series: [
        {},
        { stroke: colors('--accent'), fill: `${colors('--accent')}33`, width: 1.5, points: { show: false } },
        { stroke: colors('--good'), width: 1.5, points: { show: false } },
      ],
    } satisfies Omit<uPlot.Options, 'width' | 'height'>;
  };
  const written = (each: number | null | undefined) =>
    each === null || each === undefined ? '–' : rate(each) || '0 B/s';
  const summary = () => {
    const { down, up } = props.rates;
    const { unit, count } = stepOf(props.rates.step);
    return t('statistics.speed.average', {
      mean: t(`statistics.speed.mean.${unit}`, { count }),
      down: written(meanOf(down)),
      up: written(meanOf(up)),
      maxDown: written(mostOf(down)),
      maxUp: written(mostOf(up)),
    });
  };
  return (
    <>
      <Chart label={t('statistics.speed.title')} options={options} data={data()} onPoint={setPointed} />
      <p class={styles['figures']}>
        <Show when={pointed() !== null && pointed()! < props.rates.down.length} fallback={summary()}>
          {t('statistics.speed.legend', {
            when: moments().format((props.rates.from + pointed()! * props.rates.step) * 1000),
            down: written(props.rates.down[pointed()!]),
            up: written(props.rates.up[pointed()!]),
          })}
        </Show>
      </p>
    </>
  );
}

function known(column: Column): readonly number[] {
  return column.filter((each) => each !== null);
}

function meanOf(column: Column): number {
  const values = known(column);
  return values.length === 0 ? 0 : Math.round(values.reduce((sum, each) => sum + each, 0) / values.length);
}

function mostOf(column: Column): number {
  return known(column).reduce((most, each) => Math.max(most, each), 0);
}
