// Torrents that are being deleted: hidden at once, undone until the requests go (removals.ts).
import { call } from '../net/http.js';
import { t } from '../strings/index.js';
import { forEachTorrent } from './perform.js';
import { createRemovals } from './removals.js';

interface Removal {
  readonly ids: ReadonlySet<string>;
  readonly withData: boolean;
}

const removals = createRemovals<Removal>({
  goneMs: 3_000,
  async send(removal) {
    const succeeded = await forEachTorrent(removal.ids, (id) => call('DELETE', pathOf(id, removal)));
    return succeeded === removal.ids.size;
  },
  sendAtLeaving(removal) {
    for (const id of removal.ids) void fetch(pathOf(id, removal), { method: 'DELETE', keepalive: true });
  },
});

/** Tells of each torrent whether the list should not show it any more; as of now. */
export function removalsNow(): (id: string) => boolean {
  const pending = [...removals.pending()];
  return (id) => pending.some(({ ids }) => ids.has(id));
}

export function removeSoon(ids: ReadonlySet<string>, withData: boolean): void {
  removals.begin({ ids, withData }, t(withData ? 'actions.removedWithData' : 'actions.removed', { count: ids.size }));
}

function pathOf(id: string, { withData }: Removal): string {
  return `/api/torrents/${id}${withData ? '?delete=1' : ''}`;
}
