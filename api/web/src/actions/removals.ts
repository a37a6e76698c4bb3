// Removing with time to think: hidden at once, the request goes after a few seconds, or when the page is left. Undone
// until then, nothing has happened.
import { createSignal, type Accessor } from 'solid-js';
import { t } from '../strings/index.js';
import { showNote } from '../ui/toasts.jsx';

/** Time to press Undo. */
const GRACE_MS = 6_000;

export interface RemovalOptions<Removal> {
  /** Within it the ticks have told that it is gone. */
  readonly goneMs: number;
  /** Says itself what failed; false: something of it is still there. */
  readonly send: (removal: Removal) => Promise<boolean>;
  /** By requests that outlive the page: a user who leaves it has had time to think. */
  readonly sendAtLeaving: (removal: Removal) => void;
}

export interface Removals<Removal> {
  /** The removals whose objects are to be hidden. */
  readonly pending: Accessor<ReadonlySet<Removal>>;
  /** `text`: what the note with Undo says. */
  readonly begin: (removal: Removal, text: string) => void;
}

/** For as long as the page lives. */
export function createRemovals<Removal>({ goneMs, send, sendAtLeaving }: RemovalOptions<Removal>): Removals<Removal> {
  const [pending, setPending] = createSignal<ReadonlySet<Removal>>(new Set());
  /** The removals whose requests have not gone yet. */
  const waiting = new Set<Removal>();

  const settle = (removal: Removal): void => {
    waiting.delete(removal);
    setPending((before) => new Set([...before].filter((other) => other !== removal)));
  };
  const carryOut = async (removal: Removal): Promise<void> => {
    waiting.delete(removal);
    if (await send(removal)) setTimeout(() => settle(removal), goneMs);
    else settle(removal);
  };
  const begin = (removal: Removal, text: string): void => {
    waiting.add(removal);
    setPending((before) => new Set([...before, removal]));
    const timer = setTimeout(() => void carryOut(removal), GRACE_MS);
    const undo = (): void => {
      clearTimeout(timer);
      settle(removal);
    };
    showNote({ text, durationMs: GRACE_MS, action: { label: t('actions.undo'), run: undo } });
  };
  addEventListener('pagehide', () => {
    for (const removal of waiting) sendAtLeaving(removal);
    waiting.clear();
  });
  return { pending, begin };
}
