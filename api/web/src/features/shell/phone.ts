// How much room the window has, and what one points with: by these the style sheets lay the page out in another way.
import { createSignal, type Accessor } from 'solid-js';

/** Whether what stands side by side elsewhere is stacked, as on a phone. */
export const isPhone = matching('(width < 760px)');

/** Whether a side bar takes room that the list needs: on a tablet held upright, or a phone held sideways. */
export const isTight = matching('(width < 1000px), (height < 500px)');

/** Whether there is a finger to point with, and most likely neither keys nor files to drag. */
export const isTouched = matching('(pointer: coarse)');

function matching(query: string): Accessor<boolean> {
  const list = matchMedia(query);
  const [matches, setMatches] = createSignal(list.matches);
  list.addEventListener('change', () => setMatches(list.matches));
  return matches;
}
