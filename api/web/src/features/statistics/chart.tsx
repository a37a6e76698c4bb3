// A uPlot graph that is as large as its place, in the colours of the theme.
import type uPlot from 'uplot';
import { createPlot } from '../../ui/create-plot.js';
import { createThemeColors, type ColorToken } from '../details/theme-colors.js';
import styles from './statistics.module.css';

export type Colors = (token: ColorToken) => string;

export interface ChartProps {
  readonly label: string;
  /** Made anew for another theme, and when what it reads changes. */
  readonly options: (colors: Colors) => Omit<uPlot.Options, 'width' | 'height'>;
  readonly data: uPlot.AlignedData;
  /** The place in the data at which the pointer is; null: nowhere. */
  readonly onPoint: (index: number | null) => void;
}

export function Chart(props: ChartProps) {
  let place!: HTMLDivElement;
  const colors = createThemeColors();
  createPlot({
    place: () => place,
    options: () => {
      const hooks: uPlot.Hooks.Arrays = { setCursor: [({ cursor }) => props.onPoint(cursor.idx ?? null)] };
      return { ...props.options(colors()), hooks, width: 1, height: 1 };
    },
    data: () => props.data,
  });
  return (
    <div ref={place} class={styles['chart']} role="img" aria-label={props.label} data-points={props.data[0].length} />
  );
}

const FONT = '12px system-ui, sans-serif';
const AXIS_WIDTH_PX = 82;
const AXIS_HEIGHT_PX = 28;
/** Binary, as the labels are. */
const STEPS = Array.from({ length: 51 }, (_, power) => 2 ** power);
const MIN_TOP = 1_024;

/** Axes and pointer of all graphs: bytes upwards, unless `steps` are those of something else, and time to the right. */
export function axesOf(
  colors: Colors,
  x: Pick<uPlot.Axis, 'values' | 'incrs'>,
  y: (value: number) => string,
  steps: readonly number[] = STEPS,
): Pick<uPlot.Options, 'axes' | 'legend' | 'cursor'> {
  const axis = { stroke: colors('--text-muted'), font: FONT, ticks: { show: false } } as const;
  const grid = { stroke: colors('--border'), width: 1 };
  return {
    legend: { show: false },
    cursor: { y: false, drag: { x: false, y: false }, points: { show: false } },
    axes: [
      {
        ...axis,
        ...x,
        size: AXIS_HEIGHT_PX,
        grid: { show: false },
        space: (_chart, _axis, _min, _max, widthPx) => Math.max(80, widthPx / 9),
      },
      {
        ...axis,
        grid,
        size: AXIS_WIDTH_PX,
        incrs: [...steps],
        space: (_chart, _axis, _min, _max, heightPx) => Math.max(34, heightPx / 5),
        values: (_chart, values) => values.map(y),
      },
    ],
  };
}

export const topOf: uPlot.Scale.Range = (_chart, _min, max) => [0, Math.max(MIN_TOP, (max ?? 0) * 1.1)];
