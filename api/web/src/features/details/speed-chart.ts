// How the graph of the rates looks.
import type uPlot from 'uplot';
import { bytes } from '../../format/quantities.js';
import { inLanguage } from '../../strings/locale.js';
import { WINDOW_S } from './speed-log.js';
import type { ColorToken } from './theme-colors.js';

export const LINES = [
  { name: 'down', token: '--accent', isTotal: false },
  { name: 'up', token: '--good', isTotal: false },
  { name: 'totalDown', token: '--accent', isTotal: true },
  { name: 'totalUp', token: '--good', isTotal: true },
] as const;

const clock = inLanguage((locale) => new Intl.DateTimeFormat(locale, { hour: '2-digit', minute: '2-digit' }));
const LABEL_FONT = '12px system-ui, sans-serif';
const AXIS_WIDTH_PX = 86;
/** Labels are as far apart as they can be read, and no more than the eye takes in. */
const TIME_SPACE_PX = 75;
const MAX_TIMES = 10;
const RATE_SPACE_PX = 34;
const MAX_RATES = 7;
const MIN_TOP = 1_024;
/** Binary, as the labels are. */
const STEPS = Array.from({ length: 41 }, (_, power) => 2 ** power);

export function chartOptions(
  color: (token: ColorToken) => string,
  onPoint: (sample: number | null) => void,
): uPlot.Options {
  const axis = { stroke: color('--text-muted'), font: LABEL_FONT, ticks: { show: false } } as const;
  const grid = { stroke: color('--border'), width: 1 };
  return {
    width: 1,
    height: 1,
    // Half of the last label of a time is right of the last sample.
    padding: [null, 30, null, null],
    legend: { show: false },
    cursor: { y: false, drag: { x: false, y: false } },
    hooks: { setCursor: [({ cursor }) => onPoint(cursor.idx ?? null)] },
    scales: {
      x: { time: true, range: (_chart, _min, max) => [max - WINDOW_S, max] },
      y: { range: (_chart, _min, max) => [0, Math.max(MIN_TOP, (max ?? 0) * 1.1)] },
    },
    axes: [
      {
        ...axis,
        grid,
        space: (_chart, _axis, _min, _max, widthPx) => Math.max(TIME_SPACE_PX, widthPx / MAX_TIMES),
        incrs: [60, 120, 180, 300],
        values: (_chart, times) => times.map((at) => clock().format(at * 1000)),
      },
      {
        ...axis,
        grid,
        size: AXIS_WIDTH_PX,
        space: (_chart, _axis, _min, _max, heightPx) => Math.max(RATE_SPACE_PX, heightPx / MAX_RATES),
        incrs: STEPS,
        values: (_chart, rates) => rates.map((each) => `${bytes(each)}/s`),
      },
    ],
    series: [
      {},
      ...LINES.map(({ token, isTotal }) => ({
        stroke: color(token),
        width: isTotal ? 1 : 2,
        ...(isTotal ? { dash: [4, 4] } : {}),
        points: { show: false },
      })),
    ],
  };
}
