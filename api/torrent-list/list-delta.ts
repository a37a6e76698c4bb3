// What is different between two snapshots of an account's list, for clients that keep the list themselves. Chunks that both
// share are not looked at. Pure.
import type { TorrentId } from '../../shared-protocol/ids.js';
import type { ListChunk, TorrentPlace } from './list-chunk.js';
import type { ListSnapshot } from './list-snapshot.js';
import type { TorrentStatsJson } from './torrent-stats-json.js';

/** The difference of two snapshots, as a `torrents:delta` has it. */
export interface ListDelta {
  /** JSON of objects: torrents that are new or whose facts changed are whole, of others their id and what changed. */
  readonly upsert: string[];
  readonly removed: TorrentId[];
}

/** The difference that leads from one snapshot of an account to a later one. */
export function deltaBetween(before: ListSnapshot, after: ListSnapshot): ListDelta {
  const delta: ListDelta = { upsert: [], removed: [] };
  const kept = new Set(after.chunks);
  const gone = new Map(before.chunks.filter((chunk) => !kept.has(chunk)).map((chunk) => [chunk.torrents, chunk]));
  const shared = new Set(before.chunks);
  const rearranged: ListChunk[] = [];
  for (const chunk of after.chunks) {
    if (shared.has(chunk)) continue;
    const old = gone.get(chunk.torrents);
    // The same torrents with the same labels: only numbers can be different.
    if (old?.fields === chunk.fields) {
      gone.delete(chunk.torrents);
      addStats(delta, old, chunk);
    } else rearranged.push(chunk);
  }
  addRearranged(delta, placesOf([...gone.values()]), rearranged);
  return delta;
}

function addStats({ upsert }: ListDelta, before: ListChunk, after: ListChunk): void {
  for (const [index, { id }] of after.torrents.entries()) {
    const changed = changedStats(id, before.stats[index]!, after.stats[index]!);
    if (changed !== null) upsert.push(changed);
  }
}

function addRearranged(delta: ListDelta, old: Map<TorrentId, TorrentPlace>, chunks: readonly ListChunk[]): void {
  for (const chunk of chunks) {
    for (const [index, { id }] of chunk.torrents.entries()) {
      const known = old.get(id);
      const upsert = known ? differenceOf(known, { in: chunk, index }) : chunk.torrentJson(index);
      old.delete(id);
      if (upsert !== null) delta.upsert.push(upsert);
    }
  }
  delta.removed.push(...old.keys());
}

function placesOf(chunks: readonly ListChunk[]): Map<TorrentId, TorrentPlace> {
  const places = new Map<TorrentId, TorrentPlace>();
  for (const chunk of chunks) {
    for (const [index, { id }] of chunk.torrents.entries()) places.set(id, { in: chunk, index });
  }
  return places;
}

/** null: none that clients would see. */
function differenceOf(before: TorrentPlace, { in: chunk, index }: TorrentPlace): string | null {
  const [was, is] = [before.in.fields.texts[before.index], chunk.fields.texts[index]];
  if (was !== is) return chunk.torrentJson(index);
  return changedStats(chunk.torrents[index]!.id, before.in.stats[before.index]!, chunk.stats[index]!);
}

/** null: they are the same. */
function changedStats(id: TorrentId, before: TorrentStatsJson, after: TorrentStatsJson): string | null {
  const changed = before === after ? null : after.changeSince(before);
  return changed === null ? null : `{"id":"${id}",${changed}`;
}
