// The tree that the names of categories make: `tv/anime` is below `tv`. What is chosen of it includes what is below. Pure.
import type { CategoryDto } from '../../../../shared-protocol/dto/labels.js';
import { COLLATOR } from './collator.js';
import type { FacetKey } from './filter.js';

type Named = Pick<CategoryDto, 'id' | 'name'>;

export interface Branch<Category extends Named> {
  /** The whole name, by which branches are told apart. */
  readonly path: string;
  /** The part of the name below its parent. */
  readonly title: string;
  /** How many it is below. */
  readonly depth: number;
  readonly isParent: boolean;
  /** null: a level that several categories have in common, and that is none itself. */
  readonly category: Category | null;
}

const SLASH = '/';

/** Compares level by level, so that what is below something follows it. */
export function comparePaths(a: string, b: string): number {
  const [left, right] = [a.split(SLASH), b.split(SLASH)];
  for (const [level, part] of left.entries()) {
    const other = right[level];
    if (other === undefined) return 1;
    const by = COLLATOR.compare(part, other) || (part === other ? 0 : part < other ? -1 : 1);
    if (by !== 0) return by;
  }
  return left.length - right.length;
}

/** The branches in their order, each before what is below it. `withLevels`: those that are no categories as well. */
export function branchesOf<Category extends Named>(
  categories: readonly Category[],
  withLevels: boolean,
): readonly Branch<Category>[] {
  const byPath = new Map<string, Category | null>(categories.map((category) => [category.name, category]));
  if (withLevels) for (const level of commonLevels(categories)) if (!byPath.has(level)) byPath.set(level, null);
  const paths = [...byPath.keys()].sort(comparePaths);
  /** The branches that the one at hand is below. */
  const above: string[] = [];
  return paths.map((path, at) => {
    while (above.length > 0 && !isBelow(path, above.at(-1)!)) above.pop();
    const depth = above.length;
    const title = depth === 0 ? path : path.slice(above[depth - 1]!.length + SLASH.length);
    above.push(path);
    return { path, title, depth, isParent: isBelow(paths[at + 1] ?? '', path), category: byPath.get(path) ?? null };
  });
}

/** Returns what a branch is chosen by. */
export function branchKey({ path, category }: Pick<Branch<Named>, 'path' | 'category'>): FacetKey {
  return category ? `category:${category.id}` : `category:${path}${SLASH}`;
}

/** Returns the ids of a choice, as its key has it, and of all below it. 0: those without a category. */
export function idsOf(categories: readonly Named[], value: string): readonly number[] {
  const isLevel = value.endsWith(SLASH);
  const path = isLevel ? value.slice(0, -SLASH.length) : categories.find(({ id }) => String(id) === value)?.name;
  // Of the same name are those of other servers.
  const isOf = ({ id, name }: Named) => String(id) !== value && (name === path || isBelow(name, path!));
  const below = path === undefined ? [] : categories.filter(isOf).map(({ id }) => id);
  return isLevel ? below : [Number(value), ...below];
}

function isBelow(path: string, parent: string): boolean {
  return path.startsWith(parent + SLASH);
}

/** The levels below which names go different ways. */
function commonLevels(categories: readonly Named[]): readonly string[] {
  const ways = new Map<string, Set<string>>();
  for (const { name } of categories) {
    const parts = name.split(SLASH);
    for (let level = 1; level < parts.length; level++) {
      const path = parts.slice(0, level).join(SLASH);
      ways.set(path, (ways.get(path) ?? new Set()).add(parts[level]!));
    }
  }
  return [...ways].filter(([, next]) => next.size > 1).map(([path]) => path);
}
