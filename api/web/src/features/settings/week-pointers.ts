// The week by mouse, pen and finger. A mouse paints where it drags. A finger that moves scrolls the page; one that is held
// still for a moment paints from there, and one that is lifted before has tapped.
import { onCleanup, onMount } from 'solid-js';
import type { Cell, WeekPainting } from './week-painting.js';

const HOLD_MS = 350;
/** A finger never keeps quite still. */
const STILL_PX = 10;

/** For the component that has the grid; its handlers are those of the grid. */
export function createWeekPointers(grid: () => HTMLElement, week: WeekPainting) {
  let isDragging = false;
  /** Whether the pointer dragged: the click that may follow is none. */
  let hasDragged = false;
  let held: { readonly x: number; readonly y: number; readonly timer: ReturnType<typeof setTimeout> } | null = null;

  const letGo = () => {
    clearTimeout(held?.timer);
    held = null;
  };
  const begin = (cell: Cell, pointerId: number) => {
    week.moveTo(cell);
    if (week.isFixed()) return;
    grid().setPointerCapture(pointerId);
    isDragging = hasDragged = true;
    week.start(week.cursor());
  };
  onMount(() => {
    // The page would scroll under the finger that paints. Not passive, or it could not be held back.
    const keepStill = (event: TouchEvent) => isDragging && event.preventDefault();
    grid().addEventListener('touchmove', keepStill, { passive: false });
    onCleanup(() => grid().removeEventListener('touchmove', keepStill));
  });
  onCleanup(letGo);

  return {
    onPointerDown(event: PointerEvent) {
      hasDragged = false;
      if (!cellOf(event) || event.button !== 0) return;
      const cell = placeIn(grid(), event);
      const { pointerId, clientX: x, clientY: y } = event;
      if (event.pointerType !== 'touch') {
        event.preventDefault();
        return begin(cell, pointerId);
      }
      letGo();
      held = { x, y, timer: setTimeout(() => begin(cell, pointerId), HOLD_MS) };
    },
    onPointerMove(event: PointerEvent) {
      if (held && Math.hypot(event.clientX - held.x, event.clientY - held.y) > STILL_PX) letGo();
      if (isDragging) week.paint(placeIn(grid(), event));
    },
    onPointerUp() {
      letGo();
      if (!isDragging) return;
      isDragging = false;
      week.finish(week.cursor());
    },
    onPointerCancel() {
      letGo();
      isDragging = false;
      week.cancel();
    },
    onClick(event: MouseEvent) {
      const cell = cellOf(event);
      if (cell && !hasDragged && event instanceof PointerEvent && event.pointerType === 'touch') week.finish(cell);
    },
    onContextMenu(event: MouseEvent) {
      if (isDragging) event.preventDefault();
    },
    /** Screen readers put the focus where they read. */
    onFocusIn(event: FocusEvent) {
      const cell = cellOf(event);
      if (cell) week.setCursor(cell);
    },
  };
}

/** Where in the week a pointer is; below the last hour it is the day after. */
function placeIn(grid: HTMLElement, event: PointerEvent): Cell {
  const first = grid.querySelector('[data-cell="0-0"]')!.getBoundingClientRect();
  return {
    column: Math.floor((event.clientX - first.left) / first.width),
    hour: Math.floor((event.clientY - first.top) / first.height),
  };
}

function cellOf(event: Event): Cell | null {
  const name = event.target instanceof HTMLElement ? event.target.dataset['cell'] : undefined;
  const [column, hour] = name?.split('-').map(Number) ?? [];
  return column === undefined || hour === undefined ? null : { column, hour };
}
