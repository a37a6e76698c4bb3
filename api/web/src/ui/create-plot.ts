// A uPlot graph that is as large as its place.
import { createEffect, createMemo, createSignal, onCleanup, onMount, type Accessor } from 'solid-js';
import uPlot from 'uplot';
import 'uplot/dist/uPlot.min.css';

export interface Plot {
  readonly place: () => HTMLElement;
  /** The graph is made anew when what these read changes, as for another theme: colours are set when it is made. */
  readonly options: Accessor<uPlot.Options>;
  readonly data: Accessor<uPlot.AlignedData>;
  /** Told of each graph that is made, as an effect: for what is to follow signals of its own. */
  readonly onMade?: (made: uPlot) => void;
}

/** For the component that has the place. */
export function createPlot({ place, options, data, onMade }: Plot): void {
  const [sizePx, setSizePx] = createSignal({ width: 0, height: 0 });
  onMount(() => {
    const observer = new ResizeObserver(() => setSizePx({ width: place().clientWidth, height: place().clientHeight }));
    observer.observe(place());
    onCleanup(() => observer.disconnect());
  });
  const hasSize = createMemo(() => sizePx().width > 0 && sizePx().height > 0);
  createEffect(() => {
    const now = options();
    if (!hasSize()) return;
    const empty: uPlot.AlignedData = [[], ...now.series.slice(1).map((): number[] => [])];
    const made = new uPlot(now, empty, place());
    createEffect(() => made.setSize(sizePx()));
    createEffect(() => made.setData(data()));
    createEffect(() => onMade?.(made));
    onCleanup(() => made.destroy());
  });
}
