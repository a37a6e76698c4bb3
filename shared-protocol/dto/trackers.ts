// The trackers of a torrent, and of many at once; beyond the contract of docs/api.md.
import { z } from 'zod';
import { MAX_TRACKERS } from '../torrent-bounds.js';
import { countSchema, errorSchema, timeSchema, urlSchema } from './fields.js';
import { trackerSchema } from './inspector.js';

export const trackerListSchema = z.array(trackerSchema);

/** Tiers in the order in which their trackers are tried (BEP 12). */
export const tiersBodySchema = z.object({
  tiers: z.array(z.array(urlSchema).max(MAX_TRACKERS)).max(MAX_TRACKERS),
});

export const announceNowSchema = z
  .object({
    ok: z.literal(true),
    /** Trackers that are announced to at once. */
    announced: countSchema,
    /** Trackers that wait for their minimum interval, or for the pause after a failure, to pass. */
    waiting: countSchema,
    /** When the first of those that wait is announced to; 0 where none waits. */
    next_announce: timeSchema,
  })
  .meta({ id: 'AnnounceNowDTO' });

export const replaceTrackersBodySchema = z.object({
  /** A whole address, or the beginning of addresses up to a `/`, `?`, `&` or `=`. */
  find: urlSchema.min(1),
  replace: urlSchema.min(1),
  /** Tells what would be replaced and changes nothing. */
  dry_run: z.boolean().default(false),
});

export const replacedTrackersSchema = z
  .object({
    /** Torrents in which addresses were, or would be, replaced. */
    torrents: z.array(z.object({ id: z.string(), addresses: countSchema })),
    /** Torrents that keep theirs. */
    failed: z.array(z.object({ id: z.string(), ...errorSchema.shape })),
  })
  .meta({ id: 'ReplacedTrackersDTO' });
export type ReplacedTrackersDto = Readonly<z.infer<typeof replacedTrackersSchema>>;
