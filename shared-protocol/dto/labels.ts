// docs/api.md: categories and tags.
import { z } from 'zod';
import { colorSchema, idSchema, nameSchema, pathSchema } from './fields.js';

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
});
export const categorySchema = newCategorySchema.extend({ id: idSchema }).meta({ id: 'CategoryDTO' });
export type CategoryDto = Readonly<z.infer<typeof categorySchema>>;
export const categoryListSchema = z.array(categorySchema);

export const newTagSchema = z.object({ name: tagNameSchema, color: colorSchema });
export const tagSchema = newTagSchema.extend({ id: idSchema }).meta({ id: 'TagDTO' });
export type TagDto = Readonly<z.infer<typeof tagSchema>>;
export const tagListSchema = z.array(tagSchema);
