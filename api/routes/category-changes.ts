// What is done to a category, the same by every interface: its path is judged as any save path, who may change it where a
// rule of seeding hangs on it, and which torrents follow.
import type { BatchOutcome } from '../../shared-protocol/dto/batch-outcome.js';
import type { CategoryDto, ChangedCategory } from '../../shared-protocol/dto/labels.js';
import { actOnEach } from './batch.js';
import type { AccountContext } from './route.js';

/** Returns the id. @throws RequestError `FORBIDDEN`, `PATH_UNUSABLE`, `NAME_TAKEN`, `BODY_INVALID`; AppError `STORAGE_FAILED` */
export async function createCategory(category: Omit<ChangedCategory, 'id'>, context: AccountContext): Promise<number> {
  return context.services.labels.createCategory(await withConfinedPath(category, context));
}

/**
 * Returns what came of each torrent that was to follow; undefined: none was.
 * @throws as {@link createCategory}; `NOT_FOUND`, `SEEDING_RULE_REFUSED`
 */
export async function changeCategory(
  category: ChangedCategory,
  context: AccountContext,
): Promise<BatchOutcome[] | undefined> {
  const { labels, categoryMoves, seedingRules } = context.services;
  const before = labels.category(category.id);
  if (before?.name !== category.name) seedingRules.admitCategoryChange(context.principal.account, category.id);
  await labels.changeCategory(await withConfinedPath(category, context, before?.default_save_path));
  const after = labels.category(category.id);
  if (!before || !after?.auto_move || isAsMoving(before, after)) return undefined;
  const followers = categoryMoves.followers(context.principal.account, after);
  return actOnEach(followers, { action: 'move', path: after.default_save_path }, context);
}

/** @throws RequestError `NOT_FOUND`, `SEEDING_RULE_REFUSED`; AppError `STORAGE_FAILED` */
export async function deleteCategory(id: number, { services, principal }: AccountContext): Promise<void> {
  services.seedingRules.admitCategoryChange(principal.account, id);
  await services.labels.deleteCategory(id);
}

function isAsMoving(before: CategoryDto, after: CategoryDto): boolean {
  return before.auto_move && before.default_save_path === after.default_save_path;
}

/** A category's path is one that other accounts may save to. */
async function withConfinedPath<Category extends { readonly default_save_path: string }>(
  category: Category,
  { services, principal }: AccountContext,
  before = '',
): Promise<Category> {
  const { default_save_path } = category;
  const path = await services.savePaths.choose(principal.account, default_save_path, 'default_save_path', before);
  return { ...category, default_save_path: path };
}
