// torrents/*: categories and tags, and which of them torrents have.
import { RequestError } from '../../../errors.js';
import { changeCategory, createCategory, deleteCategory } from '../../../routes/category-changes.js';
import { DONE } from '../answers.js';
import { changing, type Answer, type Call, type RouteTable } from '../row.js';
import { categoriesOf, distinctNames, tagsOf } from '../../label-names.js';
import { createTags, newCategoryOf, newTagOf, tagsFor, type MakeTags } from '../../labelling.js';
import { actOn, editing, idsNamed } from './named.js';

/** Labels of one request; no spec value. Each is written to disk by itself. */
const MAX_NAMES = 1_000;

export const labelRoutes = {
  'torrents/createCategory': changing(create, 'perm_manage_cat_tags'),
  'torrents/editCategory': changing(edit, 'perm_manage_cat_tags'),
  'torrents/removeCategories': changing(async (call) => {
    const named = categoriesOf(call).among(namesIn(call, 'categories', '\n'));
    for (const { id } of named) call.services.seedingRules.admitCategoryChange(call.principal.account, id);
    for (const { id } of named) await deleteCategory(id, call);
    return DONE();
  }, 'perm_manage_cat_tags'),
  'torrents/setCategory': changing(setCategory),
  'torrents/createTags': changing(async (call) => {
    const known = tagsOf(call);
    const missing = distinctNames(namesIn(call, 'tags', ',')).filter((name) => !known.find(name));
    await createTags(call, missing.map(newTagOf));
    return DONE();
  }, 'perm_manage_cat_tags'),
  'torrents/deleteTags': changing(async (call) => {
    for (const { id } of tagsOf(call).among(namesIn(call, 'tags', ','))) await call.services.labels.deleteTag(id);
    return DONE();
  }, 'perm_manage_cat_tags'),
  'torrents/addTags': editing((call) => {
    const made = tagsIn(call);
    return async ({ services, share }) => services.torrentLabels.assignTags(share, await made());
  }),
  'torrents/setTags': editing((call) => {
    const made = tagsIn(call);
    return async ({ services, share }) => services.torrentLabels.setTags(share, await made());
  }),
  /** Without any name all of them. */
  'torrents/removeTags': editing((call) => {
    const names = call.fields.has('tags') ? namesIn(call, 'tags', ',') : [];
    const tagIds = tagsOf(call)
      .among(names)
      .map(({ id }) => id);
    return ({ services, share }) =>
      names.length === 0
        ? services.torrentLabels.setTags(share, [])
        : services.torrentLabels.unassignTags(share, tagIds);
  }),
} as const satisfies RouteTable;

/** One whose name differs by case alone from that of another is that one. */
async function create(call: Call): Promise<Answer> {
  const name = call.fields.required('category');
  const found = categoriesOf(call).find(name);
  if (found && found.name !== name.normalize('NFC').trim()) return DONE();
  if (found) throw new RequestError('CONFLICT', `category: there is one of that name: ${found.name}`);
  await createCategory({ ...newCategoryOf(name, ''), default_save_path: await pathIn(call) }, call);
  return DONE();
}

/** The name, the colour and whether torrents follow it stay as they are. */
async function edit(call: Call): Promise<Answer> {
  const name = call.fields.required('category');
  call.fields.given('savePath');
  const found = categoriesOf(call).find(name);
  if (!found) throw new RequestError('CONFLICT', 'category: there is none of that name');
  const { id, color } = found;
  await changeCategory({ id, name: found.name, color, default_save_path: await pathIn(call) }, call);
  return DONE();
}

async function setCategory(call: Call): Promise<Answer> {
  const name = call.fields.given('category').trim();
  const ids = idsNamed(call);
  const found = name === '' ? null : categoriesOf(call).find(name);
  if (found === undefined && ids.length > 0) throw new RequestError('CONFLICT', 'category: there is none of that name');
  return actOn(call, ids, { action: 'category', category_id: found?.id ?? null });
}

/** One that is not absolute is below the save path of the account. @throws RequestError `FORBIDDEN`, `PATH_UNUSABLE` */
async function pathIn({ services, principal, fields }: Call): Promise<string> {
  const path = fields.text('savePath') ?? '';
  return path === '' ? '' : services.savePaths.resolve(principal.account, path, '', 'savePath');
}

/** New tags are made for the first torrent that may have them: none for those that the caller may not edit. */
function tagsIn(call: Call): MakeTags {
  const make = tagsFor(call, namesIn(call, 'tags', ','));
  let made: Promise<number[]> | null = null;
  return () => (made ??= make());
}

/** @throws RequestError `BODY_INVALID` */
function namesIn({ fields }: Call, field: string, separator: string): string[] {
  fields.given(field);
  const names = fields.list(field, separator);
  if (names.length > MAX_NAMES) throw new RequestError('BODY_INVALID', `${field}: at most ${MAX_NAMES}`);
  return names;
}
