// docs/api.md, "Additions": archives of the state of another program, sent here to be imported.
import { z } from 'zod';
import { countSchema, idSchema } from './fields.js';

const numberSchema = z.coerce.number().int().min(0).max(Number.MAX_SAFE_INTEGER);

export const importArchiveQuerySchema = z.object({
  /** The archive that this is another part of; left out: a new one begins. */
  id: z.coerce.number().pipe(idSchema).optional(),
  /** Bytes of it that came before. */
  offset: numberSchema.default(0),
  /** Bytes of the whole archive; left out: this is all of it. */
  size: numberSchema.min(1).optional(),
});
export type ImportArchivePart = Readonly<z.infer<typeof importArchiveQuerySchema>>;

export const importArchiveSchema = z
  .object({
    id: idSchema,
    /** `ready`: unpacked, and can be imported. */
    state: z.enum(['receiving', 'ready']),
    received_bytes: countSchema,
    /** Files and folders that were unpacked; 0 before. */
    entries: countSchema,
    unpacked_bytes: countSchema,
  })
  .meta({ id: 'ImportArchiveDTO' });
export type ImportArchiveDto = Readonly<z.infer<typeof importArchiveSchema>>;
