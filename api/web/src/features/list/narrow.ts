// Whether the window is as narrow as a phone's; the same width is in the style sheets.
import { createSignal, onCleanup, type Accessor } from 'solid-js';

const NARROW = '(width < 760px)';

export function createIsNarrow(): Accessor<boolean> {
  const query = matchMedia(NARROW);
  const [isNarrow, setIsNarrow] = createSignal(query.matches);
  const update = () => setIsNarrow(query.matches);
  query.addEventListener('change', update);
  onCleanup(() => query.removeEventListener('change', update));
  return isNarrow;
}
