// What is different between two snapshots of an account's list, for clients that keep the list themselves. Runs that both
// share are not looked at. Pure.
import type { ListSnapshot } from './list-snapshot.js';
import type { RunBytes } from './run-bytes.js';

/** JSON of `{"upsert": […], "removed": […]}`: torrents that are new or whose facts changed whole, others in part. */
export interface ListDelta {
  readonly upsert: string[];
  readonly removed: string[];
}

export function deltaBetween(before: ListSnapshot, now: ListSnapshot): ListDelta {
  const delta: ListDelta = { upsert: [], removed: [] };
  if (before === now) return delta;
  const old = torrentsOf(before, new Set(now.runs));
  const shared = new Set(before.runs);
  for (const bytes of now.runs) {
    if (shared.has(bytes)) continue;
    for (const [index, { id }] of bytes.run.entries()) {
      const known = old.get(id);
      const upsert = known ? differenceOf(known.in, known.index, bytes, index) : wholeOf(bytes, index);
      old.delete(id);
      if (upsert !== null) delta.upsert.push(upsert);
    }
  }
  delta.removed.push(...old.keys());
  return delta;
}

interface Place {
  readonly in: RunBytes;
  readonly index: number;
}

/** By id, those in runs that are not in `others`. */
function torrentsOf({ runs }: ListSnapshot, others: ReadonlySet<RunBytes>): Map<string, Place> {
  const torrents = new Map<string, Place>();
  for (const bytes of runs) {
    if (!others.has(bytes)) for (const [index, { id }] of bytes.run.entries()) torrents.set(id, { in: bytes, index });
  }
  return torrents;
}

/** null: none that clients would see. */
function differenceOf(before: RunBytes, beforeIndex: number, now: RunBytes, nowIndex: number): string | null {
  if (!before.identity(beforeIndex).equals(now.identity(nowIndex))) return wholeOf(now, nowIndex);
  if (before.sequences[beforeIndex] === now.sequences[nowIndex]) return null;
  const figures = before.figures(beforeIndex);
  const changed = Object.entries(now.figures(nowIndex)).filter(([field, value]) => value !== figures[field]);
  if (changed.length === 0) return null;
  return JSON.stringify({ id: now.run[nowIndex]!.id, ...Object.fromEntries(changed) });
}

function wholeOf(bytes: RunBytes, index: number): string {
  return bytes.torrent(index).toString('utf8', 1);
}
