// What limits the speed, and the graph of the last ten minutes. The legend says what the lines are, shows their values
// where the pointer is, and takes lines away.
import { createEffect, createMemo, createSignal, For, onCleanup, onMount } from 'solid-js';
import uPlot from 'uplot';
import 'uplot/dist/uPlot.min.css';
import { rate } from '../../format/quantities.js';
import { t } from '../../strings/index.js';
import { BottleneckList } from './bottleneck-list.jsx';
import { chartOptions, LINES } from './speed-chart.js';
import { speedLogOf } from './speed-log.js';
import type { TabProps } from './tabs.js';
import { createThemeColors } from './theme-colors.js';
import styles from './speed.module.css';

export default function Speed(props: TabProps) {
  let place!: HTMLDivElement;
  const { id } = props.torrent();
  const data = createMemo(() => speedLogOf(props.live).columnsOf(id));
  const colors = createThemeColors();
  const [pointedAt, setPointedAt] = createSignal<number | null>(null);
  const [hidden, setHidden] = createSignal<ReadonlySet<number>>(new Set());
  const [sizePx, setSizePx] = createSignal({ width: 0, height: 0 });

  onMount(() => void speedLogOf(props.live).fetchPast(id));
  onMount(() => {
    const observer = new ResizeObserver(() => setSizePx({ width: place.clientWidth, height: place.clientHeight }));
    observer.observe(place);
    onCleanup(() => observer.disconnect());
  });
  const hasSize = createMemo(() => sizePx().width > 0 && sizePx().height > 0);
  // Anew for another theme; colours are set when it is made.
  createEffect(() => {
    const color = colors();
    if (!hasSize()) return;
    const made = new uPlot(chartOptions(color, setPointedAt), [[], [], [], [], []], place);
    createEffect(() => made.setSize(sizePx()));
    createEffect(() => made.setData(data()));
    createEffect(() => LINES.forEach((_, line) => made.setSeries(line + 1, { show: !hidden().has(line) })));
    onCleanup(() => made.destroy());
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
