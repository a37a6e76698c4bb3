// docs/api.md, "Additions": archives of the state.
import { z } from 'zod';
import { countSchema, timeSchema } from './fields.js';

export const backupSchema = z
  .object({
    /** By which it is asked for. */
    name: z.string(),
    size: countSchema,
    created_at: timeSchema,
    /** Whether it was made by itself, and so goes when enough newer ones are there. */
    automatic: z.boolean(),
  })
  .meta({ id: 'BackupDTO' });
export type BackupDto = Readonly<z.infer<typeof backupSchema>>;

export const backupsSchema = z
  .object({
    /** The newest first. */
    backups: z.array(backupSchema),
    running: z.boolean(),
    /** Why the last one failed; null: it did not. */
    error: z.string().nullable(),
    /** Where they lie on the server. */
    path: z.string(),
    /** Hours between those that are made by itself; 0: none are. */
    every_hours: countSchema,
    /** How many of those are kept. */
    keep: countSchema,
  })
  .meta({ id: 'BackupsDTO' });
export type BackupsDto = Readonly<z.infer<typeof backupsSchema>>;
