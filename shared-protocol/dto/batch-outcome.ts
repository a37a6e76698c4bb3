// What came of one torrent of several; beyond the contract of docs/api.md.
import { z } from 'zod';

export const batchOutcomeSchema = z
  .object({
    id: z.string(),
    ok: z.boolean(),
    /** Why it was not done; the status and the words are those of the route for one torrent. */
    status: z.int().optional(),
    error: z.string().optional(),
  })
  .meta({ id: 'BatchOutcome' });
export type BatchOutcome = Readonly<z.infer<typeof batchOutcomeSchema>>;
