// What can wait until the page is shown and nobody is using it.

/** Where the browser does not say when it is idle. */
const LATER_MS = 1_000;

/** One after the other, so that none is in the way of what the user does. What fails is tried again when it is needed. */
export function whenIdle(tasks: readonly (() => Promise<unknown>)[]): void {
  const [first, ...others] = tasks;
  if (!first) return;
  const run = () => void first().then(next, next);
  const next = () => whenIdle(others);
  if (typeof requestIdleCallback === 'function') requestIdleCallback(run);
  else setTimeout(run, LATER_MS);
}
