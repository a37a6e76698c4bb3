// Trackers that are being taken away: hidden at once, undone until the request goes (actions/removals.ts).
import { attempt } from '../../actions/perform.js';
import { createRemovals } from '../../actions/removals.js';
import { call } from '../../net/http.js';
import { torrentAddress } from '../../state/row-id.js';
import { t } from '../../strings/index.js';
import { atBase } from '../../net/base.js';

interface Removal {
  readonly torrentId: string;
  readonly url: string;
}

const removals = createRemovals<Removal>({
  goneMs: 2_500,
  async send({ torrentId, url }) {
    return (await attempt(() => call('DELETE', torrentAddress(torrentId, '/trackers'), { url }))) !== null;
  },
  sendAtLeaving({ torrentId, url }) {
    void fetch(atBase(torrentAddress(torrentId, '/trackers')), {
      method: 'DELETE',
      keepalive: true,
      headers: { 'Content-Type': 'application/json' },
      body: JSON.stringify({ url }),
    });
  },
});

export function isBeingRemoved(torrentId: string, url: string): boolean {
  return [...removals.pending()].some((removal) => removal.torrentId === torrentId && removal.url === url);
}

export function removeTrackerSoon(torrentId: string, url: string): void {
  removals.begin({ torrentId, url }, t('details.trackers.removed'));
}
