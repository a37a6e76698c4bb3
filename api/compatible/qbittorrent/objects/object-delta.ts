// What is different between two moments of an account's objects: of each torrent the fields that changed, and which are gone.
// Chunks that both moments share are looked at for their times alone, and that when those are told anew.
import type { TorrentId } from '../../../../shared-protocol/ids.js';
import type { SliceClock } from '../../../../shared-protocol/slices.js';
import { inSlices } from '../../../torrent-list/in-slices.js';
import type { ObjectChunk } from './object-chunk.js';
import type { ObjectEntry } from './object-entry.js';
import type { ObjectMoment } from './object-list.js';

export interface ObjectDelta {
  /** By torrent, JSON: torrents that are new are whole, of others what changed. */
  readonly changed: Map<TorrentId, string>;
  readonly removed: TorrentId[];
  /** Torrents whose facts are others, as they were and as they are; null: not there. */
  readonly renewed: (readonly [before: ObjectEntry | null, after: ObjectEntry | null])[];
}

/** The difference that leads from one moment of an account to a later one. */
export async function deltaBetween(before: ObjectMoment, after: ObjectMoment, clock: SliceClock): Promise<ObjectDelta> {
  const delta: ObjectDelta = { changed: new Map(), removed: [], renewed: [] };
  if (before === after) return delta;
  const shared = new Set(before.chunks);
  const kept = new Set(after.chunks);
  const gone = new Map(before.chunks.filter((chunk) => !kept.has(chunk)).map((chunk) => [chunk.torrents, chunk]));
  const rearranged: ObjectChunk[] = [];
  const compare = (chunk: ObjectChunk): void => {
    const old = shared.has(chunk) ? chunk : gone.get(chunk.torrents);
    if (!old) return void rearranged.push(chunk);
    gone.delete(chunk.torrents);
    if (old === chunk && before.now === after.now) return;
    for (const [index, entry] of chunk.entries.entries()) add(delta, old.entries[index] ?? null, entry, before, after);
  };
  await inSlices(after.chunks, compare, clock);
  const left = new Map<TorrentId, ObjectEntry>();
  for (const { entries } of gone.values()) for (const entry of entries) left.set(entry.from.torrent.id, entry);
  const place = ({ entries }: ObjectChunk): void => {
    for (const entry of entries) {
      const { id } = entry.from.torrent;
      add(delta, left.get(id) ?? null, entry, before, after);
      left.delete(id);
    }
  };
  await inSlices(rearranged, place, clock);
  for (const [id, entry] of left) {
    delta.removed.push(id);
    delta.renewed.push([entry, null]);
  }
  return delta;
}

function add(
  { changed, renewed }: ObjectDelta,
  was: ObjectEntry | null,
  is: ObjectEntry,
  before: ObjectMoment,
  after: ObjectMoment,
): void {
  const text = was ? changeOf(was, before.now, is, after.now) : is.text(after.now);
  const { torrent } = is.from;
  if (text !== null) changed.set(torrent.id, text);
  if (was?.from.torrent !== torrent) renewed.push([was, is]);
}

/** JSON of the fields that changed; null: none did. */
function changeOf(was: ObjectEntry, then: number, is: ObjectEntry, now: number): string | null {
  if (was === is && then === now) return null;
  const [old, own] = [was.from, is.from];
  const hasSameFigures = old.stats === own.stats && old.torrent === own.torrent;
  const fields = {
    ...(old.facts === own.facts ? {} : changedFields(was.facts(), is.facts())),
    ...(hasSameFigures ? {} : changedFields(was.figures(), is.figures())),
    ...changedFields(was.times(then), is.times(now)),
  };
  return Object.keys(fields).length === 0 ? null : JSON.stringify(fields);
}

/** The fields of the second object that are others in the first. */
export function changedFields<Fields extends object>(before: Fields, after: Fields): Partial<Fields> {
  const changed: Partial<Fields> = {};
  for (const field of Object.keys(after) as (keyof Fields)[]) {
    if (after[field] !== before[field]) changed[field] = after[field];
  }
  return changed;
}
