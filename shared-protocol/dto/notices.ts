// docs/api.md, "Additions": what has happened that an account is told of, with marks of what it has read.
import { z } from 'zod';
import { countSchema, idSchema, timeSchema } from './fields.js';

/** Notices that are kept of an account: the oldest goes first. */
export const MAX_NOTICES = 300;

/**
 * A torrent is complete, stopped by an error, waits for room on the disk, was added by a feed, has seeded
 * enough; a feed cannot be refreshed; an automation has acted or stopped itself; the account has uploaded as much as it may
 * in a month; files of a torrent that was removed with them could not be deleted; backups are not made as they should be, of
 * which administrators are told.
 */
export const NOTICE_KINDS = [
  'completed',
  'error',
  'disk_full',
  'added_by_feed',
  'seeding_ended',
  'feed_failing',
  'automation',
  'upload_used_up',
  'files_left',
  'backup_failing',
] as const;
const noticeKindSchema = z.enum(NOTICE_KINDS);
export type NoticeKind = z.infer<typeof noticeKindSchema>;

export const noticeSchema = z
  .object({
    /** Ascending; a notice that counts another torrent keeps its own. */
    id: idSchema,
    at: timeSchema,
    kind: noticeKindSchema,
    read: z.boolean(),
    /** The torrent that it is about, the first where there are several, as it was then; null: it is about none. */
    torrent_id: z.string().nullable(),
    name: z.string(),
    /** Torrents that it is about. */
    count: countSchema,
    /** The feed or automation; null: neither. */
    source_id: idSchema.nullable(),
    source: z.string(),
    /**
     * The code of an error; `ratio`, `time` or `inactive` of `seeding_ended`; `acted` or `held` of `automation`; of
     * `upload_used_up` the day on which the account may again, as in `2026-12-01`; else empty.
     */
    code: z.string(),
    /** The action of `seeding_ended`, as rules name it; else empty. */
    action: z.string(),
    /** For people: what went wrong; empty: nothing. */
    message: z.string(),
  })
  .meta({ id: 'NoticeDTO' });
export type NoticeDto = Readonly<z.infer<typeof noticeSchema>>;

const unreadSchema = z.record(noticeKindSchema, countSchema);
export type UnreadNotices = Readonly<z.infer<typeof unreadSchema>>;

/** The newest first. */
export const noticesSchema = z.object({ unread: unreadSchema, notices: z.array(noticeSchema) });
export type NoticesDto = Readonly<z.infer<typeof noticesSchema>>;

/** `notices:changed`: those that are new or count one more, the newest first; after a burst the last 20. */
export const noticesChangedSchema = z
  .object({ unread: unreadSchema, added: z.array(noticeSchema) })
  .meta({ id: 'NoticesChanged' });
export type NoticesChanged = Readonly<z.infer<typeof noticesChangedSchema>>;

/** Notices up to this id. @default all */
export const readNoticesSchema = z.object({ up_to: idSchema.optional() });
export const clearNoticesSchema = z.object({
  up_to: z
    .string()
    .regex(/^[1-9]\d{0,15}$/, 'expected a whole number above 0')
    .optional(),
});
