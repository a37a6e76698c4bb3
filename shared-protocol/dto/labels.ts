// docs/api.md: categories and tags.
import { z } from 'zod';
import { batchOutcomeSchema } from './batch-outcome.js';
import { colorSchema, idSchema, nameSchema, okSchema, pathSchema } from './fields.js';

/** A category's name as qBittorrent has it: `/` makes levels. */
const categoryNameSchema = nameSchema.refine(
  (name) => !/^\/|\/$|\/\/|\\/.test(name),
  'must not begin or end with /, nor contain // or \\',
);
const tagNameSchema = nameSchema.refine((name) => !name.includes(','), 'must not contain a comma');

export const newCategorySchema = z.object({
  name: categoryNameSchema,
  default_save_path: pathSchema,
  color: colorSchema,
  /** Torrents that come into it, or are in it when its path changes, are moved there. */
  auto_move: z.boolean().nullish(),
});
/** Without `auto_move` that stays as it is. */
export const changedCategorySchema = newCategorySchema.extend({ id: idSchema });
export const categorySchema = changedCategorySchema
  .extend({ auto_move: z.boolean().default(false) })
  .meta({ id: 'CategoryDTO' });
export type CategoryDto = Readonly<z.infer<typeof categorySchema>>;
export type ChangedCategory = Readonly<z.infer<typeof changedCategorySchema>>;
export const categoryListSchema = z.array(categorySchema);

/** `moves`: what came of each torrent that was to follow the category's path. */
export const categoryChangedSchema = okSchema.extend({ moves: z.array(batchOutcomeSchema).optional() });

export const newTagSchema = z.object({ name: tagNameSchema, color: colorSchema });
/** Beyond the contract of docs/api.md. */
export const changedTagSchema = newTagSchema.extend({ id: idSchema });
export const tagSchema = changedTagSchema.meta({ id: 'TagDTO' });
export type TagDto = Readonly<z.infer<typeof tagSchema>>;
export const tagListSchema = z.array(tagSchema);
