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
  const kept = new Set(now.runs);
  const gone = new Map(before.runs.filter((bytes) => !kept.has(bytes)).map((bytes) => [bytes.run, bytes]));
  const shared = new Set(before.runs);
  const rearranged: RunBytes[] = [];
  for (const bytes of now.runs) {
    if (shared.has(bytes)) continue;
    const old = gone.get(bytes.run);
    // The same torrents with the same labels: only numbers can be different.
    if (old?.labelsRevision === bytes.labelsRevision) {
      gone.delete(bytes.run);
      addFigures(delta, old, bytes);
    } else rearranged.push(bytes);
  }
  addRearranged(delta, torrentsOf([...gone.values()]), rearranged);
  return delta;
}

function addFigures({ upsert }: ListDelta, before: RunBytes, now: RunBytes): void {
  for (let index = 0; index < now.run.length; index++) {
    const changed = changedFigures(before, index, now, index);
    if (changed !== null) upsert.push(changed);
  }
}

function addRearranged(delta: ListDelta, old: Map<string, Place>, runs: readonly RunBytes[]): void {
  for (const bytes of runs) {
    for (const [index, { id }] of bytes.run.entries()) {
      const known = old.get(id);
      const upsert = known ? differenceOf(known.in, known.index, bytes, index) : wholeOf(bytes, index);
      old.delete(id);
      if (upsert !== null) delta.upsert.push(upsert);
    }
  }
  delta.removed.push(...old.keys());
}

interface Place {
  readonly in: RunBytes;
  readonly index: number;
}

/** By id. */
function torrentsOf(runs: readonly RunBytes[]): Map<string, Place> {
  const torrents = new Map<string, Place>();
  for (const bytes of runs) {
    for (const [index, { id }] of bytes.run.entries()) torrents.set(id, { in: bytes, index });
  }
  return torrents;
}

/** null: none that clients would see. */
function differenceOf(before: RunBytes, beforeIndex: number, now: RunBytes, nowIndex: number): string | null {
  if (!before.identity(beforeIndex).equals(now.identity(nowIndex))) return wholeOf(now, nowIndex);
  return changedFigures(before, beforeIndex, now, nowIndex);
}

/** null: they are the same. */
function changedFigures(before: RunBytes, beforeIndex: number, now: RunBytes, nowIndex: number): string | null {
  if (before.sequences[beforeIndex] === now.sequences[nowIndex]) return null;
  const figures = before.figures(beforeIndex);
  const changed = Object.entries(now.figures(nowIndex)).filter(([field, value]) => value !== figures[field]);
  if (changed.length === 0) return null;
  return JSON.stringify({ id: now.run[nowIndex]!.id, ...Object.fromEntries(changed) });
}

function wholeOf(bytes: RunBytes, index: number): string {
  return bytes.torrent(index).toString('utf8', 1);
}
