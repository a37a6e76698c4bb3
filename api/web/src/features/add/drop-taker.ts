// Files that are dropped anywhere and that the page which is shown takes itself: all others are added.
import { createSignal, onCleanup } from 'solid-js';

export interface DropTaker {
  /** A hint of what may be dropped, shown while something is held over the page. */
  readonly hint: string;
  /** Takes a file that is for this page. Returns whether it was. */
  readonly take: (file: File) => boolean;
}

const [taker, setTaker] = createSignal<DropTaker | null>(null);

export const dropTaker = taker;

/** In a component: for as long as it is there. */
export function takeDrops(own: DropTaker): void {
  setTaker(own);
  onCleanup(() => setTaker(null));
}
