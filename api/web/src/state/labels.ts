// Categories and tags, as far as the account is shown any, in the order of their names: categories as the tree that they
// are.
import type { CategoryDto, TagDto } from '../../../../shared-protocol/dto/labels.js';
import { comparePaths, idsOf } from './category-tree.js';
import { COLLATOR } from './collator.js';
import type { CategoryIds } from './filter.js';
import { createRemote } from './resource.js';

export const categories = createRemote<readonly CategoryDto[]>('/api/categories', byPath);
export const tags = createRemote<readonly TagDto[]>('/api/tags', byName);

/** Finds the names of the categories that are known now; reading it is waiting for others. */
export function categoryNames(): (id: number | null) => string | null {
  const names = new Map(categories.value()?.map(({ id, name }) => [id, name]));
  return (id) => (id === null ? null : (names.get(id) ?? null));
}

/** Finds what the categories that are known now make of a choice; reading it is waiting for others. */
export function categoryIds(): CategoryIds {
  const known = categories.value() ?? [];
  return (value) => idsOf(known, value);
}

/** Asked for once: one that was deleted is not there the second time either. */
const missed = new Set<number>();

export function categoryOf(id: number | null): CategoryDto | undefined {
  if (id === null) return undefined;
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
