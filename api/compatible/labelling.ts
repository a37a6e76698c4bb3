// A category and tags for torrents, by name. All is judged before anything is made, so that a request that is refused leaves no
// labels behind.
import { newCategorySchema, newTagSchema, type TagDto } from '../../shared-protocol/dto/labels.js';
import { MAX_TAGS } from '../../shared-protocol/torrent-bounds.js';
import { hasPermission } from '../auth/account.js';
import { RequestError } from '../errors.js';
import { createCategory } from '../routes/category-changes.js';
import type { AccountContext } from '../routes/route.js';
import { assertTagsFit } from '../services/library/torrent-labels.js';
import { categoriesOf, distinctNames, tagsOf } from './label-names.js';

const NO_COLOR = '';
/** Longer in a list than any id that is given out. */
const LONG_ID = Number.MAX_SAFE_INTEGER;

export type NewCategory = Parameters<typeof createCategory>[0];
export type NewTag = Omit<TagDto, 'id'>;

/** Returns the ids, in the order of the names; makes what is not there. @throws RequestError `BODY_INVALID`; AppError `STORAGE_FAILED` */
export type MakeTags = () => Promise<number[]>;

/**
 * Tags that one torrent can have; the field is `tags`.
 * @throws RequestError `BODY_INVALID` for too many, or what can be no name; `CONFLICT` as {@link admitNew}
 */
export function tagsFor(context: AccountContext, names: readonly string[]): MakeTags {
  if (names.length > MAX_TAGS) throw new RequestError('BODY_INVALID', `tags: at most ${MAX_TAGS}`);
  const known = tagsOf(context);
  const wanted = distinctNames(names);
  const found = known.among(wanted);
  const missing = wanted.filter((name) => !known.find(name)).map((name) => newTagOf(name));
  if (missing[0]) admitNew(context, 'tag', missing[0].name);
  const all = [...found, ...missing.map((tag) => ({ ...tag, id: LONG_ID }))];
  assertTagsFit([...all.keys()], { tag: (index) => all[index] }, 'tags');
  return async () => {
    await createTags(context, missing);
    return tagsOf(context)
      .among(wanted)
      .map(({ id }) => id);
  };
}

/** Tags that another request has made meanwhile are left as they are. @throws as {@link MakeTags} */
export async function createTags({ services }: AccountContext, tags: readonly NewTag[]): Promise<void> {
  for (const tag of tags) await services.labels.createTag(tag).catch(ignoreTaken);
}

/** @throws RequestError `BODY_INVALID` */
export function newTagOf(name: string): NewTag {
  const parsed = newTagSchema.safeParse({ name, color: NO_COLOR });
  if (!parsed.success) throw new RequestError('BODY_INVALID', `tags: ${reasonOf(parsed.error)}`);
  return parsed.data;
}

/**
 * The category of that name, made when it is asked for; '' is none.
 * @throws RequestError `CONFLICT` for what can be no name, and as {@link admitNew}
 */
export function categoryFor(context: AccountContext, name: string): () => Promise<number | null> {
  if (name === '') return () => Promise.resolve(null);
  const found = categoriesOf(context).find(name);
  if (found) return () => Promise.resolve(found.id);
  const category = newCategoryOf(name, '');
  admitNew(context, 'category', category.name);
  return async () => {
    const id = await createCategory(category, context).catch(ignoreTaken);
    return id ?? categoriesOf(context).find(name)?.id ?? null;
  };
}

/** Without a colour. @throws RequestError `CONFLICT` for what can be no name */
export function newCategoryOf(name: string, path: string): NewCategory {
  const parsed = newCategorySchema.safeParse({ name, default_save_path: path, color: NO_COLOR });
  if (!parsed.success) throw new RequestError('CONFLICT', `category: ${reasonOf(parsed.error)}`);
  return parsed.data;
}

/** @throws RequestError `CONFLICT` for who may not make labels */
function admitNew({ principal }: AccountContext, kind: string, name: string): void {
  if (hasPermission(principal.account, 'perm_manage_cat_tags')) return;
  throw new RequestError('CONFLICT', `there is no ${kind} ${JSON.stringify(name)}, and this account may not make one`);
}

function ignoreTaken(error: unknown): undefined {
  if (!(error instanceof RequestError) || error.code !== 'NAME_TAKEN') throw error;
}

function reasonOf({ issues: [issue] }: { readonly issues: readonly { readonly message: string }[] }): string {
  return issue?.message ?? 'invalid';
}
