// Whether the fonts of this machine have flags.

/** A flag that is drawn is one picture, not wider than one of its two letters and a half. */
export function detectFlags(): boolean {
  const context = document.createElement('canvas').getContext('2d');
  if (!context) return false;
  context.font = '32px system-ui, sans-serif';
  const widthOf = (text: string) => context.measureText(text).width;
  return widthOf('\u{1f1e9}\u{1f1ea}') < 1.5 * widthOf('\u{1f1e9}');
}
