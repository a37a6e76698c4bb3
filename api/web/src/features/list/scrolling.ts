// How far the list is scrolled, as signals: the rows that have to exist, whether it moves, whether it is moved sideways.
import {
  batch,
  createEffect,
  createMemo,
  createSignal,
  on,
  onCleanup,
  onMount,
  untrack,
  type Accessor,
} from 'solid-js';
import { displacementOf } from './anchor.js';
import { isInView, isSameWindow, scrollToRow, seenRows, windowOf, type RowWindow, type View } from './row-window.js';

/** Without a scroll for so long it rests. */
const REST_MS = 150;

export interface ScrollingDeps {
  readonly scroller: () => HTMLElement;
  readonly rowPx: Accessor<number>;
  /** The height of what stands above the rows and does not scroll away. */
  readonly headPx: Accessor<number>;
  readonly count: Accessor<number>;
  /** The row that stays in sight when the list gets lower; -1: none. */
  readonly kept: () => number;
}

export interface Scrolling {
  readonly window: Accessor<RowWindow>;
  readonly isMoving: Accessor<boolean>;
  readonly isAside: Accessor<boolean>;
  /** Scrolls as far as is needed to see that row whole. */
  readonly show: (index: number) => void;
  /** Scrolls along with what is seen, before the list shows another order. What is new at its top is not scrolled away from. */
  readonly follow: (before: readonly string[], now: readonly string[]) => void;
}

export function createScrolling({ scroller, rowPx, headPx, count, kept }: ScrollingDeps): Scrolling {
  const [scrollPx, setScrollPx] = createSignal(0);
  const [heightPx, setHeightPx] = createSignal(0);
  const [isMoving, setIsMoving] = createSignal(false);
  const [isAside, setIsAside] = createSignal(false);
  const view = (): View => ({
    scrollPx: scrollPx(),
    viewPx: heightPx() - headPx(),
    rowPx: rowPx(),
    isMoving: isMoving(),
  });
  const now = () => ({ ...untrack(view), scrollPx: scroller().scrollTop });
  const show = (index: number) => (scroller().scrollTop = scrollToRow(now(), index));
  const [followed, setFollowed] = createSignal<void>(undefined, { equals: false });
  const follow = (before: readonly string[], order: readonly string[]) => {
    const from = untrack(view);
    if (from.isMoving || from.scrollPx < from.rowPx) return;
    const byPx = displacementOf(before, order, seenRows(from)) * from.rowPx;
    if (byPx === 0) return;
    setScrollPx(Math.max(from.scrollPx + byPx, 0));
    setFollowed();
  };
  // Once the rows are where they are now: before, the list may be too short to be scrolled so far.
  createEffect(
    on(
      followed,
      () => {
        scroller().scrollTop = untrack(scrollPx);
        setScrollPx(scroller().scrollTop);
      },
      { defer: true },
    ),
  );
  const resize = () => {
    const index = kept();
    const isKept = index !== -1 && isInView(now(), index);
    setHeightPx(scroller().clientHeight);
    if (isKept) show(index);
  };
  let rest: ReturnType<typeof setTimeout> | undefined;
  onMount(() => {
    const element = scroller();
    const onScroll = () => {
      const { scrollTop, scrollLeft } = element;
      setIsAside(scrollLeft > 0);
      // It has followed its rows, or is scrolled sideways.
      if (scrollTop === untrack(scrollPx)) return;
      clearTimeout(rest);
      rest = setTimeout(() => setIsMoving(false), REST_MS);
      batch(() => {
        setIsMoving(true);
        setScrollPx(scrollTop);
      });
    };
    const observer = new ResizeObserver(resize);
    observer.observe(element);
    setHeightPx(element.clientHeight);
    element.addEventListener('scroll', onScroll, { passive: true });
    onCleanup(() => {
      clearTimeout(rest);
      observer.disconnect();
      element.removeEventListener('scroll', onScroll);
    });
  });
  return {
    window: createMemo(() => windowOf(view(), count()), undefined, { equals: isSameWindow }),
    isMoving,
    isAside,
    show,
    follow,
  };
}
