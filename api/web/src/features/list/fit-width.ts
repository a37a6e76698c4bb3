// How wide a column has to be for what is in it now: of the rows on the screen, and its head.
import type { Column } from './columns.jsx';

/** The room at both sides of a cell together, and what rounding takes. */
const PADDING_PX = 22;
/** A name may be longer than the screen is wide. */
const MAX_PX = 900;

/** `edge`: of the column's head. */
export function fittingWidth(edge: Element, column: Column): number {
  // A bar has no width of its own.
  if (column.key === 'progress') return column.widthPx;
  const grid = edge.closest('[role=grid]');
  const cells = grid?.querySelectorAll(`[data-column=${column.key}]:is([role=gridcell], [role=columnheader])`) ?? [];
  const widest = Math.max(...[...cells].map(contentWidth));
  return Math.min(widest + PADDING_PX, MAX_PX);
}

function contentWidth(cell: Element): number {
  const range = document.createRange();
  range.selectNodeContents(cell.querySelector('button') ?? cell);
  return range.getBoundingClientRect().width;
}
