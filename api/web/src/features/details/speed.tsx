// What limits the speed, and the graph of the last ten minutes. The legend says what the lines are, shows their values
// where the pointer is, and takes lines away.
import { createMemo, createSignal, For, onMount } from 'solid-js';
import { rate } from '../../format/quantities.js';
import { t } from '../../strings/index.js';
import { createPlot } from '../../ui/create-plot.js';
import { BottleneckList } from './bottleneck-list.jsx';
import { chartOptions, LINES } from './speed-chart.js';
import { speedLogOf } from './speed-log.js';
import type { TabProps } from './tabs.js';
import { createThemeColors } from './theme-colors.js';
import styles from './speed.module.css';

/** Lines of all torrents together, beside which those of one are flat; shown when asked for. */
const TOTALS: ReadonlySet<number> = new Set(LINES.flatMap(({ isTotal }, line) => (isTotal ? [line] : [])));

export default function Speed(props: TabProps) {
  let place!: HTMLDivElement;
  const { id } = props.torrent();
  const data = createMemo(() => speedLogOf(props.live).columnsOf(id));
  const colors = createThemeColors();
  const [pointedAt, setPointedAt] = createSignal<number | null>(null);
  const [hidden, setHidden] = createSignal<ReadonlySet<number>>(TOTALS);

  onMount(() => void speedLogOf(props.live).fetchPast(id));
  createPlot({
    place: () => place,
    options: () => chartOptions(colors(), setPointedAt),
    data,
    onMade: (made) => LINES.forEach((_, line) => made.setSeries(line + 1, { show: !hidden().has(line) })),
  });

  const valueOf = (line: number) => {
    const column = data()[line + 1] ?? [];
    const value = column[pointedAt() ?? column.length - 1];
    return value === null || value === undefined ? '' : rate(value) || t('details.speed.atRest');
  };
  const toggle = (line: number) =>
    setHidden((before) => {
      const after = new Set(before);
      if (!after.delete(line)) after.add(line);
      return after;
    });
  return (
    <div class={styles['speed']}>
      <BottleneckList {...props} />
      <div class={styles['legend']} role="group" aria-label={t('details.speed.legend')}>
        <For each={LINES}>
          {({ name, token, isTotal }, line) => (
            <button type="button" aria-pressed={!hidden().has(line())} onClick={() => toggle(line())}>
              <span class={styles['sample']} data-total={isTotal} style={{ 'border-top-color': `var(${token})` }} />
              {t(`details.speed.${name}`)}
              <output>{valueOf(line())}</output>
            </button>
          )}
        </For>
      </div>
      <div
        ref={place}
        class={styles['chart']}
        role="img"
        aria-label={t('details.speed.title')}
        data-since={data()[0][0] ?? ''}
      />
    </div>
  );
}
