// docs/api.md, "Categories and tags".
import { newIdSchema, okSchema } from '../../shared-protocol/dto/fields.js';
import {
  categoryChangedSchema,
  categoryListSchema,
  changedCategorySchema,
  changedTagSchema,
  newCategorySchema,
  newTagSchema,
  tagListSchema,
} from '../../shared-protocol/dto/labels.js';
import { tagBodySchema } from '../../shared-protocol/dto/torrents.js';
import { changeCategory, createCategory, deleteCategory } from './category-changes.js';
import { jsonInput, noInput } from './input.js';
import { accountRoute, bodyTorrentRoute, numberInPath, type RouteTable } from './route.js';

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
    handle: async (category, context) => ({ id: await createCategory(category, context) }),
  }),
  'PUT /api/categories': accountRoute({
    gate: 'perm_manage_cat_tags',
    summary:
      'Changes a category; with auto_move the torrents in it that the caller may move go to its path when that changes',
    input: jsonInput(changedCategorySchema),
    output: categoryChangedSchema,
    errors: { 404: 'no such category' },
    handle: async (category, context) => {
      const moves = await changeCategory(category, context);
      return { ok: true as const, ...(moves && { moves }) };
    },
  }),
  'DELETE /api/categories/{id}': accountRoute({
    gate: 'perm_manage_cat_tags',
    summary: 'Deletes a category; its torrents and filters have none then',
    input: noInput,
    output: okSchema,
    errors: { 400: 'the id is no number', 404: 'no such category' },
    handle: (_input, context) => deleteCategory(numberInPath(context, 'id'), context),
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
  'PUT /api/tags': accountRoute({
    gate: 'perm_manage_cat_tags',
    summary: 'Changes the name and the colour of a tag, on all of its torrents',
    input: jsonInput(changedTagSchema),
    output: okSchema,
    errors: { 404: 'no such tag' },
    handle: (tag, { services }) => services.labels.changeTag(tag),
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
