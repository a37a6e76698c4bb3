// What came of one torrent of several; beyond the contract of docs/api.md.
import { z } from 'zod';
import { reasonSchema } from './fields.js';

export const batchOutcomeSchema = z
  .object({
    id: z.string(),
    ok: z.boolean(),
    /** Why it was not done; the status and the words are those of the route for one torrent. */
    status: z.int().optional(),
    error: z.string().optional(),
    code: reasonSchema.shape.code.optional(),
    data: reasonSchema.shape.data,
  })
  .meta({ id: 'BatchOutcome' });
export type BatchOutcome = Readonly<z.infer<typeof batchOutcomeSchema>>;
