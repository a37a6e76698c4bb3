// Draws columns side by side, over the colour of what is missing.
import type { ColorToken } from './theme-colors.js';

export interface Shade {
  readonly token: ColorToken;
  /** 0 to 1. */
  readonly alpha: number;
}

/** `width` in pixels of the device. */
export function drawStrip(
  canvas: HTMLCanvasElement,
  width: number,
  columns: readonly Shade[],
  color: (token: ColorToken) => string,
): void {
  const context = canvas.getContext('2d');
  if (!context) return;
  canvas.width = width;
  canvas.height = Math.round(canvas.clientHeight * devicePixelRatio);
  context.fillStyle = color('--track');
  context.fillRect(0, 0, canvas.width, canvas.height);
  let last: ColorToken = '--track';
  for (const [column, { token, alpha }] of columns.entries()) {
    const from = Math.round((column * width) / columns.length);
    const to = Math.round(((column + 1) * width) / columns.length);
    // Looking a colour up costs more than filling with it.
    if (token !== last) context.fillStyle = color((last = token));
    context.globalAlpha = alpha;
    context.fillRect(from, 0, to - from, canvas.height);
  }
}
