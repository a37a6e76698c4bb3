// docs/api.md: links by which players read the files of a torrent, without cookie or key of an account.
import { z } from 'zod';
import { idSchema, timeSchema } from './fields.js';

const HOUR_SECONDS = 3_600;
const DAY_SECONDS = 24 * HOUR_SECONDS;
/** A link that nobody remembers ends by itself. */
const MAX_LINK_SECONDS = 366 * DAY_SECONDS;

export const newLinkSchema = z.object({
  /** Seconds from now. */
  expires_in: z.int().min(1).max(MAX_LINK_SECONDS).default(DAY_SECONDS),
});

export const linkSchema = z
  .object({ id: idSchema, user_id: idSchema, created_at: timeSchema, expires_at: timeSchema })
  .meta({ id: 'LinkDTO' });
export const linkListSchema = z.array(linkSchema);
export type LinkDto = Readonly<z.infer<typeof linkSchema>>;

/** `path` is shown this once: behind it come `<index>/<any name>`. */
export const madeLinkSchema = linkSchema.extend({ path: z.string() }).meta({ id: 'MadeLinkDTO' });
export type MadeLinkDto = Readonly<z.infer<typeof madeLinkSchema>>;
