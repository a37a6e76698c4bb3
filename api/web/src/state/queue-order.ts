// Moving torrents in the queue: to where. Pure.
import type { Torrent } from '../live/messages.js';

export type Queued = Pick<Torrent, 'id' | 'queue_position'>;

/**
 * Where the first of the dragged ends when they are dropped in the gap before the row `gap` of the list, which may show
 * only some of the queue. `rows` from the front of the queue to its end.
 */
export function dropPosition(rows: readonly Queued[], dragged: ReadonlySet<string>, gap: number): number {
  const behind = rows.slice(gap).find(({ id }) => !dragged.has(id));
  const before = rows.slice(0, gap).findLast(({ id }) => !dragged.has(id));
  const place = behind?.queue_position ?? (before ? before.queue_position + 1 : 0);
  const ahead = rows.filter(({ id, queue_position }) => dragged.has(id) && queue_position < place);
  return place - ahead.length;
}
