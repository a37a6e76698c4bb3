// Which rows of the list exist: those on the screen and some on either side, as all rows are of one height. Pure.

interface Margin {
  /** Rows that are there before they are scrolled to, so that a finger or a wheel does not meet empty places. */
  readonly aheadRows: number;
  /** The window moves by so many rows at once: most frames of a scroll then change nothing of the page. */
  readonly stepRows: number;
}

const MOVING: Margin = { aheadRows: 8, stepRows: 6 };
/** Rows that are out of sight cost each tick as much as the others. */
const RESTING: Margin = { aheadRows: 2, stepRows: 1 };

export interface View {
  /** From the top of the first row. */
  readonly scrollPx: number;
  /** The height of the view on the rows, without what lies over them. */
  readonly viewPx: number;
  readonly rowPx: number;
  readonly isMoving: boolean;
}

/** From `first` to before `end`. */
export interface RowWindow {
  readonly first: number;
  readonly end: number;
}

export function windowOf({ scrollPx, viewPx, rowPx, isMoving }: View, count: number): RowWindow {
  const { aheadRows, stepRows } = isMoving ? MOVING : RESTING;
  const first = Math.floor((scrollPx / rowPx - aheadRows) / stepRows) * stepRows;
  const end = Math.ceil(((scrollPx + viewPx) / rowPx + aheadRows) / stepRows) * stepRows;
  return { first: Math.min(Math.max(first, 0), count), end: Math.min(Math.max(end, 0), count) };
}

export function isSameWindow(a: RowWindow, b: RowWindow): boolean {
  return a.first === b.first && a.end === b.end;
}

/** The rows that are seen whole. */
export function seenRows({ scrollPx, viewPx, rowPx }: Omit<View, 'isMoving'>): RowWindow {
  return { first: Math.ceil(scrollPx / rowPx), end: Math.floor((scrollPx + viewPx) / rowPx) };
}

/** Whether anything of the row is seen. */
export function isInView({ scrollPx, viewPx, rowPx }: Omit<View, 'isMoving'>, index: number): boolean {
  return (index + 1) * rowPx > scrollPx && index * rowPx < scrollPx + viewPx;
}

/** Where to scroll so that the row is seen whole; as far as it is now when it is already. */
export function scrollToRow({ scrollPx, viewPx, rowPx }: Omit<View, 'isMoving'>, index: number): number {
  const [top, bottom] = [index * rowPx, (index + 1) * rowPx];
  if (top < scrollPx) return top;
  return Math.max(scrollPx, bottom - viewPx);
}
