// Deleting with time to think: the torrents are hidden at once, the request goes after a few seconds, or when the page is
// left. Undone until then, nothing has happened.
import { createSignal } from 'solid-js';
import { call } from '../net/http.js';
import { t } from '../strings/index.js';
import { showNote } from '../ui/toasts.jsx';
import { forEachTorrent } from './perform.js';

/** Time to press Undo. */
const GRACE_MS = 6_000;
/** Within it the ticks have told that a torrent is gone. */
const GONE_MS = 3_000;

interface Removal {
  readonly ids: ReadonlySet<string>;
  readonly withData: boolean;
}

const [pending, setPending] = createSignal<ReadonlySet<Removal>>(new Set());
/** Those whose requests have not gone yet. */
const waiting = new Set<Removal>();

/** Tells of each torrent whether the list should not show it any more; as of now. */
export function removalsNow(): (id: string) => boolean {
  const removals = [...pending()];
  return (id) => removals.some(({ ids }) => ids.has(id));
}

export function removeSoon(ids: ReadonlySet<string>, withData: boolean): void {
  const removal: Removal = { ids, withData };
  waiting.add(removal);
  setPending((before) => new Set([...before, removal]));
  const timer = setTimeout(() => void carryOut(removal), GRACE_MS);
  showNote({
    text: t(withData ? 'actions.removedWithData' : 'actions.removed', { count: ids.size }),
    durationMs: GRACE_MS,
    action: {
      label: t('actions.undo'),
      run() {
        clearTimeout(timer);
        settle(removal);
      },
    },
  });
}

async function carryOut(removal: Removal): Promise<void> {
  waiting.delete(removal);
  const succeeded = await forEachTorrent(removal.ids, (id) => call('DELETE', pathOf(id, removal)));
  if (succeeded < removal.ids.size) settle(removal);
  else setTimeout(() => settle(removal), GONE_MS);
}

function settle(removal: Removal): void {
  waiting.delete(removal);
  setPending((before) => new Set([...before].filter((other) => other !== removal)));
}

function pathOf(id: string, { withData }: Removal): string {
  return `/api/torrents/${id}${withData ? '?delete=1' : ''}`;
}

// Whoever leaves the page has had time to think. Such requests outlive it.
addEventListener('pagehide', () => {
  for (const removal of waiting) {
    for (const id of removal.ids) void fetch(pathOf(id, removal), { method: 'DELETE', keepalive: true });
  }
  waiting.clear();
});
