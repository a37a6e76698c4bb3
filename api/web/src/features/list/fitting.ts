// How many of several things fit side by side, with a mark behind them when some do not. Pure.

const GAP_PX = 4;

/** `widthsPx`: of the things in order. `markPx`: of the mark that tells of the others. */
export function howManyFit(widthsPx: readonly number[], roomPx: number, markPx: number): number {
  let usedPx = -GAP_PX;
  let withMark = 0;
  for (const [index, px] of widthsPx.entries()) {
    usedPx += GAP_PX + px;
    if (usedPx > roomPx) return withMark;
    if (usedPx + GAP_PX + markPx <= roomPx) withMark = index + 1;
  }
  return widthsPx.length;
}
