// Which rows of the list exist: those on the screen and some on either side, as all rows are of one height. Pure.

/** Rows that are there before they are scrolled to, so that a finger or a wheel does not meet empty places. */
const AHEAD_ROWS = 8;
/** The window moves by so many rows at once: most frames of a scroll then change nothing of the page. */
const STEP_ROWS = 6;

export interface View {
  /** From the top of the first row. */
  readonly scrollPx: number;
  /** Of the rows, without what lies over them. */
  readonly viewPx: number;
  readonly rowPx: number;
}

/** From `first` to before `end`. */
export interface RowWindow {
  readonly first: number;
  readonly end: number;
}

export function windowOf({ scrollPx, viewPx, rowPx }: View, count: number): RowWindow {
  const first = Math.floor((scrollPx / rowPx - AHEAD_ROWS) / STEP_ROWS) * STEP_ROWS;
  const end = Math.ceil(((scrollPx + viewPx) / rowPx + AHEAD_ROWS) / STEP_ROWS) * STEP_ROWS;
  return { first: Math.min(Math.max(first, 0), count), end: Math.min(Math.max(end, 0), count) };
}

export function isSameWindow(a: RowWindow, b: RowWindow): boolean {
  return a.first === b.first && a.end === b.end;
}

/** Where to scroll so that the row is seen whole; as far as it is now when it is already. */
export function scrollToRow({ scrollPx, viewPx, rowPx }: View, index: number): number {
  const [top, bottom] = [index * rowPx, (index + 1) * rowPx];
  if (top < scrollPx) return top;
  return Math.max(scrollPx, bottom - viewPx);
}
