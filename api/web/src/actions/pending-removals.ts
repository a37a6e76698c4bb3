// Torrents that are being deleted: hidden at once, undone until the requests go (removals.ts).
import { shortened } from '../format/quantities.js';
import { t } from '../strings/index.js';
import { doToAll, type Target } from './batch.js';
import { createRemovals } from './removals.js';
import { atBase } from '../net/base.js';

interface Removal {
  readonly ids: ReadonlySet<string>;
  readonly torrents: readonly Target[];
  readonly withData: boolean;
}

const removals = createRemovals<Removal>({
  goneMs: 3_000,
  async send(removal) {
    const succeeded = await doToAll(removal.torrents, { action: 'remove', delete_data: removal.withData });
    return succeeded === removal.torrents.length;
  },
  sendAtLeaving(removal) {
    for (const id of removal.ids) void fetch(atBase(pathOf(id, removal)), { method: 'DELETE', keepalive: true });
  },
});

/** Tells of each torrent whether the list should not show it any more; as of now. */
export function removalsNow(): (id: string) => boolean {
  const pending = [...removals.pending()];
  return (id) => pending.some(({ ids }) => ids.has(id));
}

export function removeSoon(torrents: readonly Target[], withData: boolean): void {
  const ids = new Set(torrents.map(({ id }) => id));
  removals.begin({ ids, torrents, withData }, textOf(torrents, withData));
}

function textOf(torrents: readonly Target[], withData: boolean): string {
  const [first, ...others] = torrents;
  if (!first || others.length > 0) {
    return t(withData ? 'actions.removedWithData' : 'actions.removed', { count: torrents.length });
  }
  return t(withData ? 'actions.removedNamedWithData' : 'actions.removedNamed', { name: shortened(first.name) });
}

function pathOf(id: string, { withData }: Removal): string {
  return `/api/torrents/${id}${withData ? '?delete=1' : ''}`;
}
