// What the browser need not do before it shows what has just changed.

/** By then it runs although nothing was drawn, as in a tab that nobody looks at. */
const AT_LATEST_MS = 200;

/** Runs it once what has changed just now is drawn. Returns what calls it off. */
export function afterPaint(run: () => void): () => void {
  let timer = setTimeout(run, AT_LATEST_MS);
  const frame = requestAnimationFrame(() => {
    clearTimeout(timer);
    timer = setTimeout(run);
  });
  return () => {
    cancelAnimationFrame(frame);
    clearTimeout(timer);
  };
}
