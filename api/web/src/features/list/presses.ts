// Fingers on rows, and presses of cards by whatever. A tap opens; a finger that is held begins to select, and while anything
// is selected taps select and deselect. Looking at a torrent never selects it.
import { onCleanup } from 'solid-js';
import type { ListModel } from './list-model.js';

const HOLD_MS = 450;
/** A finger never keeps quite still. */
const STILL_PX = 10;

export interface Presses {
  /** Whether what is pressed now is pressed by a finger: a tablet may have a mouse as well, and a laptop a touch screen. */
  readonly isByFinger: () => boolean;
  readonly onPointerDown: (id: string, event: PointerEvent) => void;
  readonly onClick: (id: string) => void;
  /** Keeps the browser's own answer to a held finger away. */
  readonly onContextMenu: (event: MouseEvent) => void;
}

/** For the component that has the rows. */
export function createPresses(model: ListModel): Presses {
  // A screen reader clicks without a pointer.
  let isByFinger = matchMedia('(pointer: coarse)').matches;
  /** Whether the finger was held: the click that may follow is none. */
  let wasHeld = false;
  let letGo = (): void => undefined;
  onCleanup(() => letGo());

  const hold = (id: string, { clientX, clientY }: PointerEvent) => {
    letGo();
    const onMove = (event: PointerEvent) => {
      if (Math.hypot(event.clientX - clientX, event.clientY - clientY) > STILL_PX) letGo();
    };
    const end = () => letGo();
    const timer = setTimeout(() => {
      letGo();
      wasHeld = true;
      model.select(id, 'toggle');
    }, HOLD_MS);
    document.addEventListener('pointermove', onMove);
    document.addEventListener('pointerup', end);
    document.addEventListener('pointercancel', end);
    letGo = () => {
      clearTimeout(timer);
      document.removeEventListener('pointermove', onMove);
      document.removeEventListener('pointerup', end);
      document.removeEventListener('pointercancel', end);
      letGo = () => undefined;
    };
  };

  return {
    isByFinger: () => isByFinger,
    onPointerDown(id, event) {
      wasHeld = false;
      isByFinger = event.pointerType === 'touch';
      const isElsewhere = event.target instanceof Element && event.target.closest('[data-grip="true"], [data-check]');
      if (!isByFinger || event.button !== 0 || isElsewhere) return;
      // The menu that the area around would open after some more time.
      event.stopPropagation();
      hold(id, event);
    },
    onClick(id) {
      if (wasHeld) return;
      if (model.selection().ids.size > 0) model.select(id, 'toggle');
      else model.open(id);
    },
    onContextMenu(event) {
      if (!(event instanceof PointerEvent) || event.pointerType !== 'touch') return;
      event.preventDefault();
      event.stopPropagation();
    },
  };
}
