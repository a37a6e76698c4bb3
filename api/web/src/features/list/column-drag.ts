// Dragging the head of a column to another place: a line says before which it would be put. Escape lets go.
import type { ListLayout } from './list-layout.js';
import type { SortKey } from '../../state/sort.js';

/** Less is a click of an unsteady hand. */
const THRESHOLD_PX = 6;

/** For a pointer that goes down on a head. A finger scrolls the list sideways instead. */
export function dragColumn(
  event: PointerEvent & { currentTarget: HTMLElement },
  layout: ListLayout,
  key: SortKey,
): void {
  if (event.button !== 0 || event.pointerType === 'touch') return;
  const button = event.currentTarget;
  const own = button.closest<HTMLElement>('[role=columnheader]');
  if (!own) return;
  const heads = [...(own.parentElement?.querySelectorAll<HTMLElement>('[data-column]') ?? [])];
  const listening = new AbortController();
  const { signal } = listening;
  let hasMoved = false;
  let target: { readonly head: HTMLElement; readonly isBehind: boolean } | null = null;
  const unmark = () => heads.forEach((head) => delete head.dataset['drop']);
  const end = () => {
    listening.abort();
    unmark();
    delete own.dataset['dragged'];
    if (hasMoved) swallowClick(button);
  };
  const onMove = ({ clientX }: PointerEvent) => {
    if (!hasMoved && Math.abs(clientX - event.clientX) < THRESHOLD_PX) return;
    hasMoved = true;
    own.dataset['dragged'] = '';
    unmark();
    target = placeAt(heads, clientX);
    if (target) target.head.dataset['drop'] = target.isBehind ? 'after' : 'before';
  };
  const onUp = () => {
    const at = target;
    end();
    if (!hasMoved || !at) return;
    const place = heads.indexOf(at.head) + (at.isBehind ? 1 : 0);
    const before = heads.slice(place).find((head) => head !== own);
    if (place !== heads.indexOf(own)) layout.moveColumn(key, keyOf(before));
  };
  document.addEventListener('pointermove', onMove, { signal });
  document.addEventListener('pointerup', onUp, { signal });
  document.addEventListener('pointercancel', end, { signal });
  document.addEventListener(
    'keydown',
    (pressed) => {
      if (pressed.key !== 'Escape') return;
      pressed.preventDefault();
      end();
    },
    { signal, capture: true },
  );
}

function placeAt(heads: readonly HTMLElement[], x: number) {
  const first = heads.find((head) => x < middleOf(head));
  const head = first ?? heads.at(-1);
  return head ? { head, isBehind: first === undefined } : null;
}

function middleOf(head: HTMLElement): number {
  const { left, width } = head.getBoundingClientRect();
  return left + width / 2;
}

function keyOf(head: HTMLElement | undefined): SortKey | null {
  return (head?.dataset['column'] as SortKey | undefined) ?? null; // heads are named by their keys
}

/** The click that ends a drag is none. It comes in the same turn as the pointer goes up, or not at all. */
function swallowClick(button: HTMLElement): void {
  const swallow = (click: Event) => click.stopImmediatePropagation();
  button.parentElement?.addEventListener('click', swallow, { capture: true, once: true });
  setTimeout(() => button.parentElement?.removeEventListener('click', swallow, { capture: true }));
}
