// docs/api.md, "Additions": removals that the server carries out after a while, unless they are undone.
import { z } from 'zod';
import { batchOutcomeSchema } from './batch-outcome.js';
import { idSchema, infohashSchema, timeSchema } from './fields.js';

/** Torrents of the pending removals of an account. */
export const MAX_PENDING_TORRENTS = 20_000;
/** Pending removals of an account. */
export const MAX_PENDING_REMOVALS = 50;
export const MAX_GRACE_S = 60;

export const newRemovalSchema = z.object({
  ids: z.array(infohashSchema).min(1).max(MAX_PENDING_TORRENTS),
  /** Deletes the data as well. */
  delete_data: z.boolean().default(false),
  /** Until then it can be undone. */
  grace_seconds: z.int().min(1).max(MAX_GRACE_S),
});

const removalFields = { due_at: timeSchema, delete_data: z.boolean(), ids: z.array(z.string()) };
export const removalSchema = z.object({ id: idSchema, ...removalFields }).meta({ id: 'RemovalDTO' });
export type RemovalDto = Readonly<z.infer<typeof removalSchema>>;
export const removalListSchema = z.array(removalSchema);

/** In the order of the ids. `id` is null where none of them may be removed. */
export const removalBegunSchema = z
  .object({ id: idSchema.nullable(), due_at: timeSchema, outcomes: z.array(batchOutcomeSchema) })
  .meta({ id: 'RemovalBegun' });
export type RemovalBegun = Readonly<z.infer<typeof removalBegunSchema>>;
