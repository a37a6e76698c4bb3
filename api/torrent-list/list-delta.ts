// What is different between two snapshots of an account's list, for clients that keep the list themselves. Runs that both
// share are not looked at. Pure.
import type { TorrentId } from '../../shared-protocol/ids.js';
import type { Place } from './previous-chunks.js';
import type { ListSnapshot } from './list-snapshot.js';
import type { ListChunk } from './chunk.js';
import type { TorrentStatsJson } from './torrent-stats-json.js';

/** JSON of `{"upsert": […], "removed": […]}`: torrents that are new or whose facts changed whole, others in part. */
export interface ListDelta {
  readonly upsert: string[];
  readonly removed: string[];
}

export function deltaBetween(before: ListSnapshot, now: ListSnapshot): ListDelta {
  const delta: ListDelta = { upsert: [], removed: [] };
  const kept = new Set(now.runs);
  const gone = new Map(before.runs.filter((text) => !kept.has(text)).map((text) => [text.run, text]));
  const shared = new Set(before.runs);
  const rearranged: ListChunk[] = [];
  for (const text of now.runs) {
    if (shared.has(text)) continue;
    const old = gone.get(text.run);
    // The same torrents with the same labels: only numbers can be different.
    if (old?.identity === text.identity) {
      gone.delete(text.run);
      addFigures(delta, old, text);
    } else rearranged.push(text);
  }
  addRearranged(delta, torrentsOf([...gone.values()]), rearranged);
  return delta;
}

function addFigures({ upsert }: ListDelta, before: ListChunk, now: ListChunk): void {
  for (const [index, { id }] of now.run.entries()) {
    const changed = changedFigures(id, before.figures.shown[index]!, now.figures.shown[index]!);
    if (changed !== null) upsert.push(changed);
  }
}

function addRearranged(delta: ListDelta, old: Map<TorrentId, Place>, runs: readonly ListChunk[]): void {
  for (const text of runs) {
    for (const [index, { id }] of text.run.entries()) {
      const known = old.get(id);
      const upsert = known ? differenceOf(known, { in: text, index }) : text.torrent(index);
      old.delete(id);
      if (upsert !== null) delta.upsert.push(upsert);
    }
  }
  delta.removed.push(...old.keys());
}

function torrentsOf(runs: readonly ListChunk[]): Map<TorrentId, Place> {
  const torrents = new Map<TorrentId, Place>();
  for (const text of runs) {
    for (const [index, { id }] of text.run.entries()) torrents.set(id, { in: text, index });
  }
  return torrents;
}

/** null: none that clients would see. */
function differenceOf(before: Place, { in: text, index }: Place): string | null {
  const [was, is] = [before.in.identity.texts[before.index], text.identity.texts[index]];
  if (was !== is) return text.torrent(index);
  return changedFigures(text.run[index]!.id, before.in.figures.shown[before.index]!, text.figures.shown[index]!);
}

/** null: they are the same. */
function changedFigures(id: TorrentId, before: TorrentStatsJson, now: TorrentStatsJson): string | null {
  const changed = before === now ? null : now.changeSince(before);
  return changed === null ? null : `{"id":"${id}",${changed}`;
}
