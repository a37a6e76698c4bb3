// Dragging torrents to another place of the queue while the list is in its order: with the mouse by the whole row, with
// a finger by the grip, since elsewhere a finger scrolls. Escape lets go.
import { createSignal, onCleanup, type Accessor } from 'solid-js';
import { refusedToEdit } from '../../actions/permitted.js';
import { moveInQueue } from '../../actions/torrents.js';
import { dropPosition } from '../../state/queue-order.js';
import { byServer, serverOf } from '../../state/row-id.js';
import type { Torrents } from '../../state/torrents.js';
import { showNote } from '../../ui/toasts.jsx';
import type { ListModel } from './list-model.js';

/** Less is a click of an unsteady hand. */
const THRESHOLD_PX = 6;
const EDGE_PX = 40;
const SCROLL_PX_PER_FRAME = 10;

export interface QueueDragDeps {
  readonly model: ListModel;
  readonly torrents: Torrents;
  readonly scroller: () => HTMLElement;
  readonly rowPx: Accessor<number>;
  /** The height of what stands above the rows and does not scroll away. */
  readonly headPx: () => number;
}

export interface QueueDrag {
  readonly isPossible: Accessor<boolean>;
  /** Before which row they would be put; null while nothing is dragged. */
  readonly gap: Accessor<number | null>;
  /** The click that ends a drag is none. */
  readonly hasJustMoved: () => boolean;
  readonly onPointerDown: (id: string, event: PointerEvent) => void;
}

export function createQueueDrag({ model, torrents, scroller, rowPx, headPx }: QueueDragDeps): QueueDrag {
  const [gap, setGap] = createSignal<number | null>(null);
  const isPossible = () => model.sort().key === 'queue';
  let hasMoved = false;
  let end = (): void => undefined;
  onCleanup(() => end());

  const gapAt = (clientY: number) => {
    const top = scroller().getBoundingClientRect().top + headPx();
    const gapHere = Math.round((clientY - top + scroller().scrollTop) / rowPx());
    return Math.min(Math.max(gapHere, 0), model.ids().length);
  };
  const drop = (ids: ReadonlySet<string>, at: number) => {
    const { descending } = model.sort();
    const shown = model.ids().flatMap((id) => torrents.all.get(id) ?? []);
    const fromFront = descending ? shown.reverse() : shown;
    const before = new Set(fromFront.slice(0, descending ? shown.length - at : at));
    // Each server has a queue of its own.
    for (const [server, moved] of byServer(shown.filter(({ id }) => ids.has(id)))) {
      const queue = fromFront.filter(({ id }) => serverOf(id) === server);
      const gapHere = queue.filter((torrent) => before.has(torrent)).length;
      void moveInQueue(moved, dropPosition(queue, ids, gapHere));
    }
  };
  const begin = (id: string, startY: number) => {
    end();
    hasMoved = false;
    const ids = () => (model.selection().ids.has(id) ? model.selection().ids : new Set([id]));
    let y = startY;
    let frame = 0;
    const followEdge = () => {
      const { top, bottom } = scroller().getBoundingClientRect();
      const by = y < top + headPx() + EDGE_PX ? -1 : y > bottom - EDGE_PX ? 1 : 0;
      scroller().scrollTop += by * SCROLL_PX_PER_FRAME;
      setGap(gapAt(y));
      frame = requestAnimationFrame(followEdge);
    };
    const onMove = (event: PointerEvent) => {
      y = event.clientY;
      if (hasMoved || Math.abs(y - startY) < THRESHOLD_PX) return;
      const refused = refusedToEdit([...ids()].flatMap((one) => torrents.all.get(one) ?? []));
      if (refused) {
        showNote({ look: 'bad', text: refused });
        return end();
      }
      hasMoved = true;
      followEdge();
    };
    const onUp = () => {
      const at = gap();
      end();
      if (at !== null) drop(ids(), at);
    };
    const onKey = (event: KeyboardEvent) => {
      if (event.key !== 'Escape') return;
      event.preventDefault();
      end();
    };
    document.addEventListener('pointermove', onMove);
    document.addEventListener('pointerup', onUp);
    document.addEventListener('pointercancel', letGo);
    document.addEventListener('keydown', onKey, true);
    end = () => {
      cancelAnimationFrame(frame);
      setGap(null);
      document.removeEventListener('pointermove', onMove);
      document.removeEventListener('pointerup', onUp);
      document.removeEventListener('pointercancel', letGo);
      document.removeEventListener('keydown', onKey, true);
      end = () => undefined;
    };
  };
  const letGo = () => end();

  return {
    isPossible,
    gap,
    hasJustMoved: () => hasMoved,
    onPointerDown(id, { button, pointerType, target, clientY }) {
      hasMoved = false;
      if (button !== 0 || !isPossible()) return;
      const isOnGrip = target instanceof Element && target.closest('[data-grip="true"]') !== null;
      if (pointerType === 'mouse' || isOnGrip) begin(id, clientY);
    },
  };
}
