// Beyond the contract of docs/api.md: folders of the server that a save path may go on with, while it is typed.
import { z } from 'zod';
import { countSchema, pathSchema } from './fields.js';

/** The path as far as it is typed; relative to the caller's default save path where it is not absolute. */
export const pathsQuerySchema = z.object({ prefix: pathSchema.optional() });

export const pathsSchema = z
  .object({
    /** Absolute; at most 100, in the order of their names. */
    paths: z.array(z.string()),
    /** Whether these are all. */
    complete: z.boolean(),
    /** Whether the caller may save at the path as it is typed now. */
    allowed: z.boolean(),
    /** Whether there is a folder at it; null: not the caller's to know. */
    exists: z.boolean().nullable(),
    /** Free on the volume it is on, or would be; null: not the caller's to know, or the system did not say in time. */
    free_bytes: countSchema.nullable(),
    total_bytes: countSchema.nullable(),
  })
  .meta({ id: 'Paths' });
export type PathsDto = Readonly<z.infer<typeof pathsSchema>>;
