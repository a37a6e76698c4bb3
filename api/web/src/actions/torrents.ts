// What can be done with torrents, as the page says it.
import type { Torrent } from '../live/messages.js';
import { byServer } from '../state/row-id.js';
import { doToAll, type Target } from './batch.js';

type Targets = readonly Target[];

export const pause = (torrents: Targets) => doToAll(torrents, { action: 'pause' });
export const resume = (torrents: Targets) => doToAll(torrents, { action: 'resume' });
export const recheck = (torrents: Targets) => doToAll(torrents, { action: 'recheck' });
export const reannounce = (torrents: Targets) => doToAll(torrents, { action: 'announce' });
export const setForceStart = (torrents: Targets, force: boolean) => doToAll(torrents, { action: 'force_start', force });
export const setSequential = (torrents: Targets, enabled: boolean) =>
  doToAll(torrents, { action: 'sequential', enabled });
export const setCategory = (torrents: Targets, categoryId: number | null) =>
  doToAll(torrents, { action: 'category', category_id: categoryId });
export const setTag = (torrents: Targets, tagId: number, isOn: boolean) =>
  doToAll(torrents, { action: isOn ? 'add_tag' : 'remove_tag', tag_id: tagId });

/** One behind the other, with so many others before the first of them. */
export const moveInQueue = (torrents: Targets, to: number | 'top' | 'bottom') =>
  doToAll(torrents, { action: 'queue_move', to });

/** Together, those of each server, behind or before the one that is next to the first of them. */
export function stepInQueue(torrents: readonly Pick<Torrent, 'id' | 'name' | 'queue_position'>[], by: 1 | -1): void {
  for (const part of byServer(torrents).values()) {
    const first = Math.min(...part.map(({ queue_position }) => queue_position));
    void moveInQueue(part, Math.max(first + by, 0));
  }
}
