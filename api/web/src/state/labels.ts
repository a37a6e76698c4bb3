// Categories and tags, as far as the account is shown any, in the order of their names: categories as the tree that they
// are.
import type { CategoryDto, TagDto } from '../../../../shared-protocol/dto/labels.js';
import { comparePaths, idsOf } from './category-tree.js';
import { COLLATOR } from './collator.js';
import type { Torrent } from '../live/messages.js';
import type { LabelIds } from './filter.js';
import { labelIdOf } from './label-there.js';
import { createFetched } from './fetched.js';
import { labelsThere } from './servers.js';

export const categories = createFetched<readonly CategoryDto[]>('/api/categories', byPath);
export const tags = createFetched<readonly TagDto[]>('/api/tags', byName);

/** Finds the names of the categories that are known now; reading it is waiting for others. */
export function categoryNames(): (id: number | null) => string | null {
  const names = new Map(allCategories().map(({ id, name }) => [id, name]));
  return (id) => (id === null ? null : (names.get(id) ?? null));
}

/** Finds what the labels that are known now make of a choice; reading it is waiting for others. */
export function labelIds(): LabelIds {
  const known = { category: allCategories(), tag: allTags() };
  return (kind, value) => {
    if (kind === 'category') return idsOf(known.category, value);
    return idsNamed(known.tag, Number(value));
  };
}

/** The category of the same name here; itself where there is none. */
export function categoryHere(id: number | null): number | null {
  if (id === null || id >= 0) return id;
  const name = categoryOf(id)?.name;
  return categories.value()?.find((category) => category.name === name)?.id ?? id;
}

/** Whether all of the torrents are of that category, or of one of its name on their server. */
export function areOfCategory(torrents: readonly Torrent[], id: number | null): boolean {
  const ids: readonly (number | null)[] = id === null ? [null] : idsNamed(allCategories(), id);
  return torrents.every(({ category_id }) => ids.includes(category_id));
}

/** Whether all of the torrents have that tag, or one of its name on their server. */
export function haveTag(torrents: readonly Pick<Torrent, 'tags'>[], id: number): boolean {
  const ids = idsNamed(allTags(), id);
  return torrents.every(({ tags }) => tags.some((tag) => ids.includes(tag.id)));
}

/** The number that the label of that name has on the server; null: it has none, or has not told of it. */
export function idOnServer(kind: 'categories' | 'tags', id: number, server: number | null): number | null {
  if (server === null) return id;
  const named = (kind === 'categories' ? allCategories() : allTags()).find((label) => label.id === id)?.name;
  const labels = labelsThere().get(server)?.[kind] ?? [];
  const there = labels.find(({ name }) => name === named);
  return there ? labelIdOf(there.id) : null;
}

function allCategories(): readonly CategoryDto[] {
  return [...(categories.value() ?? []), ...[...labelsThere().values()].flatMap((labels) => labels.categories)];
}

function allTags(): readonly TagDto[] {
  return [...(tags.value() ?? []), ...[...labelsThere().values()].flatMap((labels) => labels.tags)];
}

/** The label and those of its name. */
function idsNamed(labels: readonly Pick<TagDto, 'id' | 'name'>[], id: number): readonly number[] {
  const name = labels.find((label) => label.id === id)?.name;
  return [id, ...labels.filter((label) => label.name === name && label.id !== id).map((label) => label.id)];
}

/** Asked for once: one that was deleted is not there the second time either. */
const missed = new Set<number>();

export function categoryOf(id: number | null): CategoryDto | undefined {
  if (id === null) return undefined;
  if (id < 0) return allCategories().find((candidate) => candidate.id === id);
  const shown = categories.value();
  const category = shown?.find((candidate) => candidate.id === id);
  // Made, or come into sight with its torrent, since the list was read.
  if (shown && !category && !missed.has(id)) {
    missed.add(id);
    void categories.reload();
  }
  return category;
}

function byPath(read: readonly CategoryDto[]): readonly CategoryDto[] {
  return [...read].sort((a, b) => comparePaths(a.name, b.name));
}

function byName<Label extends { readonly name: string }>(labels: readonly Label[]): readonly Label[] {
  return [...labels].sort((a, b) => COLLATOR.compare(a.name, b.name));
}
