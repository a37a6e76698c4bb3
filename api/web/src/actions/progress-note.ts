// Says how far something is, while that takes time.
import { showNote } from '../ui/toasts.jsx';

/** Most things are done sooner, and need no word. */
const QUIET_MS = 500;

/** Returns how to end it. */
export function sayProgress(text: () => string): () => void {
  let takeAway = (): void => undefined;
  const say = setTimeout(() => (takeAway = showNote({ text, durationMs: Infinity })), QUIET_MS);
  return () => {
    clearTimeout(say);
    takeAway();
  };
}
