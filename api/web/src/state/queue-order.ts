// Moving torrents in the queue: to where, and by which requests. Pure.
import type { Torrent } from '../live/messages.js';

export type Queued = Pick<Torrent, 'id' | 'queue_position'>;

export interface QueueMove {
  readonly id: string;
  readonly pos: number;
}

/** The server puts what is past the end at the end. */
const PAST_THE_END = 1_000_000_000;

/**
 * One request each, in the order in which they are to be sent, so that the torrents end one behind the other, the first
 * at `position`. Taking one out lets those behind it move up: what goes down goes from the last to the first.
 */
export function queueMoves(torrents: readonly Queued[], position: number | 'end'): readonly QueueMove[] {
  const inOrder = [...torrents].sort((a, b) => a.queue_position - b.queue_position);
  if (position === 'end') return inOrder.map(({ id }) => ({ id, pos: PAST_THE_END }));
  const moves = inOrder.map(({ id, queue_position }, index) => ({ id, from: queue_position, pos: position + index }));
  const down = moves.filter(({ from, pos }) => from < pos).reverse();
  const up = moves.filter(({ from, pos }) => from > pos);
  return [...down, ...up].map(({ id, pos }) => ({ id, pos }));
}

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
