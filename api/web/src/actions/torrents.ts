// What can be done with torrents, by the routes of the same names.
import { call } from '../net/http.js';
import { queueMoves, type Queued } from '../state/queue-order.js';
import { forEachTorrent } from './perform.js';

type Ids = Iterable<string>;

export const pause = (ids: Ids) => forEachTorrent(ids, (id) => call('POST', `/api/torrents/${id}/pause`));
export const resume = (ids: Ids) => forEachTorrent(ids, (id) => call('POST', `/api/torrents/${id}/resume`));
export const recheck = (ids: Ids) => forEachTorrent(ids, (id) => call('POST', `/api/torrents/${id}/recheck`));

export const setForceStart = (ids: Ids, force: boolean) =>
  forEachTorrent(ids, (infohash) => call('POST', '/api/torrents/force_start', { infohash, force }));

export const setSequential = (ids: Ids, enabled: boolean) =>
  forEachTorrent(ids, (infohash) => call('POST', '/api/torrents/sequential', { infohash, enabled }));

export const setCategory = (ids: Ids, categoryId: number | null) =>
  forEachTorrent(ids, (infohash) => call('POST', '/api/torrents/category', { infohash, category_id: categoryId }));

export const setTag = (ids: Ids, tagId: number, isOn: boolean) =>
  forEachTorrent(ids, (infohash) =>
    call('POST', isOn ? '/api/tags/assign' : '/api/tags/unassign', { infohash, tag_id: tagId }),
  );

/** One behind the other, the first of them at `position`; one request after the other. */
export async function moveInQueue(torrents: readonly Queued[], position: number | 'end'): Promise<void> {
  for (const { id, pos } of queueMoves(torrents, position)) {
    await forEachTorrent([id], (infohash) => call('POST', '/api/torrents/queue_position', { infohash, pos }));
  }
}
