// docs/api.md, "Categories and tags".
import { newIdSchema, okSchema } from '../../shared-protocol/dto/fields.js';
import {
  categoryChangedSchema,
  categoryListSchema,
  changedCategorySchema,
  newCategorySchema,
  newTagSchema,
  tagListSchema,
  type CategoryDto,
} from '../../shared-protocol/dto/labels.js';
import { tagBodySchema } from '../../shared-protocol/dto/torrents.js';
import { actOnEach } from './batch.js';
import { jsonInput, noInput } from './input.js';
import { accountRoute, bodyTorrentRoute, numberInPath, type AccountContext, type RouteTable } from './route.js';

export const labelRoutes = {
  'GET /api/categories': accountRoute({
    gate: 'account',
    summary: 'Categories: all for those who add torrents or manage labels or feeds, else those of torrents in sight',
    input: noInput,
    output: categoryListSchema,
    handle: (_input, { services, principal }) => services.shownLabels.categories(principal.account),
  }),
  'POST /api/categories': accountRoute({
    gate: 'perm_manage_cat_tags',
    summary: 'Makes a category',
    input: jsonInput(newCategorySchema),
    output: newIdSchema,
    handle: async (category, context) => ({
      id: await context.services.labels.createCategory(await withConfinedPath(category, context)),
    }),
  }),
  'PUT /api/categories': accountRoute({
    gate: 'perm_manage_cat_tags',
    summary:
      'Changes a category; with auto_move the torrents in it that the caller may move go to its path when that changes',
    input: jsonInput(changedCategorySchema),
    output: categoryChangedSchema,
    errors: { 404: 'no such category' },
    handle: async (category, context) => {
      const { labels, categoryMoves, seedingRules } = context.services;
      const before = labels.category(category.id);
      if (before?.name !== category.name) seedingRules.admitCategoryChange(context.principal.account, category.id);
      await labels.changeCategory(await withConfinedPath(category, context));
      const after = labels.category(category.id);
      const ok = true as const;
      if (!before || !after?.auto_move || isAsMoving(before, after)) return { ok };
      const followers = categoryMoves.followers(context.principal.account, after);
      return { ok, moves: await actOnEach(followers, { action: 'move', path: after.default_save_path }, context) };
    },
  }),
  'DELETE /api/categories/{id}': accountRoute({
    gate: 'perm_manage_cat_tags',
    summary: 'Deletes a category; its torrents and filters have none then',
    input: noInput,
    output: okSchema,
    errors: { 400: 'the id is no number', 404: 'no such category' },
    handle: async (_input, context) => {
      const { labels, seedingRules } = context.services;
      const id = numberInPath(context, 'id');
      seedingRules.admitCategoryChange(context.principal.account, id);
      await labels.deleteCategory(id);
    },
  }),
  'GET /api/tags': accountRoute({
    gate: 'account',
    summary: 'Tags: all for those who add torrents or manage labels or feeds, else those of torrents in sight',
    input: noInput,
    output: tagListSchema,
    handle: (_input, { services, principal }) => services.shownLabels.tags(principal.account),
  }),
  'POST /api/tags': accountRoute({
    gate: 'perm_manage_cat_tags',
    summary: 'Makes a tag',
    input: jsonInput(newTagSchema),
    output: newIdSchema,
    handle: async (tag, { services }) => ({ id: await services.labels.createTag(tag) }),
  }),
  'DELETE /api/tags/{id}': accountRoute({
    gate: 'perm_manage_cat_tags',
    summary: 'Deletes a tag, and takes it off its torrents',
    input: noInput,
    output: okSchema,
    errors: { 400: 'the id is no number', 404: 'no such tag' },
    handle: (_input, context) => context.services.labels.deleteTag(numberInPath(context, 'id')),
  }),
  'POST /api/tags/assign': bodyTorrentRoute({
    access: 'editor',
    summary: 'Puts a tag on a torrent',
    input: jsonInput(tagBodySchema),
    output: okSchema,
    errors: { 404: 'no such torrent or tag' },
    handle: ({ tag_id }, { services, share }) => services.torrentLabels.assignTag(share, tag_id),
  }),
  'POST /api/tags/unassign': bodyTorrentRoute({
    access: 'editor',
    summary: 'Takes a tag off a torrent; no error when it is not there',
    input: jsonInput(tagBodySchema),
    output: okSchema,
    errors: { 404: 'no such torrent or tag' },
    handle: ({ tag_id }, { services, share }) => services.torrentLabels.unassignTag(share, tag_id),
  }),
} satisfies RouteTable;

function isAsMoving(before: CategoryDto, after: CategoryDto): boolean {
  return before.auto_move && before.default_save_path === after.default_save_path;
}

/** A category's path is one that other accounts may save to, so it is judged like any save path. */
async function withConfinedPath<Category extends { readonly default_save_path: string }>(
  category: Category,
  { services, principal }: AccountContext,
): Promise<Category> {
  const path = await services.savePaths.confine(principal.account, category.default_save_path, 'default_save_path');
  return { ...category, default_save_path: path };
}
