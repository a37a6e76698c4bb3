// Which torrents of a list `torrents/info` is asked for, in which order, and from where on: read from its fields. Pure.
import { RequestError } from '../../../errors.js';
import type { Labels } from '../../../services/library/labels.js';
import type { ListedTorrent } from '../../../services/library/shares.js';
import type { Fields } from '../../fields.js';
import type { TorrentObject } from '../torrent-object.js';
import { filterNamed } from '../torrent-state.js';
import type { ObjectEntry } from './object-entry.js';

type Known = Pick<Labels, 'categories' | 'tags' | 'category' | 'tag'>;
type Condition = (entry: ObjectEntry) => boolean;
type Value = TorrentObject[keyof TorrentObject];

/** A torrent must meet all of them. @throws RequestError `BODY_INVALID` */
export function conditionsOf(fields: Fields, labels: Known): Condition[] {
  const conditions: Condition[] = [];
  const ofFacts = (isWanted: (torrent: ListedTorrent) => boolean): void =>
    void conditions.push(({ from }) => isWanted(from.torrent));
  const isPrivate = fields.flag('private');
  if (isPrivate !== undefined) ofFacts((torrent) => torrent.isPrivate === isPrivate);
  const category = fields.text('category');
  if (category !== undefined) ofFacts(inCategory(category, labels));
  const tag = fields.text('tag');
  if (tag !== undefined) ofFacts(withTag(tag, labels));
  const filter = filterNamed(fields.text('filter'));
  if (filter) conditions.push((entry) => filter(entry.figures()));
  return conditions;
}

/** Without regard to case, as names are unique; empty: in none. An id that is not known any more is none. */
function inCategory(name: string, labels: Known): (torrent: ListedTorrent) => boolean {
  const idOf = ({ library: { categoryId } }: ListedTorrent) =>
    categoryId !== null && labels.category(categoryId) ? categoryId : null;
  if (name === '') return (torrent) => idOf(torrent) === null;
  const wanted = idNamed(name, labels.categories);
  return (torrent) => wanted !== undefined && idOf(torrent) === wanted;
}

function withTag(name: string, labels: Known): (torrent: ListedTorrent) => boolean {
  if (name === '') return ({ library }) => !library.tagIds.some((id) => labels.tag(id));
  const wanted = idNamed(name, labels.tags);
  return ({ library }) => wanted !== undefined && library.tagIds.includes(wanted);
}

function idNamed(name: string, of: readonly { readonly id: number; readonly name: string }[]): number | undefined {
  const folded = folding(name);
  return of.find((label) => folding(label.name) === folded)?.id;
}

function folding(name: string): string {
  return name.trim().toLowerCase().normalize('NFC');
}

/** The value to sort by; null: as the list is. `now`: Unix seconds. @throws RequestError `BODY_INVALID` */
export function sortingOf(
  fields: Fields,
  sample: ObjectEntry | undefined,
  now: number,
): ((entry: ObjectEntry) => Value) | null {
  const name = fields.text('sort') ?? '';
  if (name === '' || !sample) return null;
  if (Object.hasOwn(sample.times(now), name)) {
    return (entry) => entry.times(now)[name as keyof ReturnType<ObjectEntry['times']>];
  }
  if (Object.hasOwn(sample.figures(), name)) {
    return (entry) => entry.figures()[name as keyof ReturnType<ObjectEntry['figures']>];
  }
  if (Object.hasOwn(sample.facts(), name)) {
    return (entry) => entry.facts()[name as keyof ReturnType<ObjectEntry['facts']>];
  }
  throw new RequestError('BODY_INVALID', 'sort: not a field of a torrent');
}

/**
 * From and to where in a list of this length. As in qBittorrent: a negative offset counts from the end, one beyond the list
 * is none, and so is a limit that is not above 0. @throws RequestError `BODY_INVALID`
 */
export function rangeOf(fields: Fields, length: number): [from: number, to: number] {
  const limit = fields.integer('limit') ?? 0;
  const offset = fields.integer('offset') ?? 0;
  const wished = offset < 0 ? length + offset : offset;
  const from = wished < 0 || wished >= length ? 0 : wished;
  return [from, limit > 0 ? from + limit : length];
}
