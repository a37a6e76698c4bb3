// Taking trackers away with time to think: hidden at once, the request goes after a few seconds, or when the page is
// left.
import { createSignal } from 'solid-js';
import { attempt } from '../../actions/perform.js';
import { call } from '../../net/http.js';
import { t } from '../../strings/index.js';
import { showNote } from '../../ui/toasts.jsx';

/** Time to press Undo. */
const GRACE_MS = 6_000;
/** Until a tick no longer has it. */
const GONE_MS = 2_500;

interface Removal {
  readonly torrentId: string;
  readonly url: string;
}

const [pending, setPending] = createSignal<ReadonlySet<Removal>>(new Set());
/** Those whose request has not gone yet. */
const waiting = new Set<Removal>();

export function isBeingRemoved(torrentId: string, url: string): boolean {
  return [...pending()].some((removal) => removal.torrentId === torrentId && removal.url === url);
}

export function removeTrackerSoon(torrentId: string, url: string): void {
  const removal: Removal = { torrentId, url };
  waiting.add(removal);
  setPending((before) => new Set([...before, removal]));
  const timer = setTimeout(() => void carryOut(removal), GRACE_MS);
  showNote({
    text: t('details.trackers.removed'),
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
  const { torrentId, url } = removal;
  const answer = await attempt(() => call('DELETE', `/api/torrents/${torrentId}/trackers`, { url }));
  if (answer === null) settle(removal);
  else setTimeout(() => settle(removal), GONE_MS);
}

function settle(removal: Removal): void {
  waiting.delete(removal);
  setPending((before) => new Set([...before].filter((other) => other !== removal)));
}

addEventListener('pagehide', () => {
  for (const { torrentId, url } of waiting) {
    void fetch(`/api/torrents/${torrentId}/trackers`, {
      method: 'DELETE',
      keepalive: true,
      headers: { 'Content-Type': 'application/json' },
      body: JSON.stringify({ url }),
    });
  }
  waiting.clear();
});
