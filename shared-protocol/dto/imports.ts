// docs/api.md, "Additions": torrents that are taken over from other programs.
import { z } from 'zod';
import { REMARKS, type RemarkCode } from '../import-remarks/remark.js';
import { countSchema, idSchema, pathSchema, timeSchema } from './fields.js';

export const IMPORT_SOURCES = ['qbittorrent', 'transmission', 'deluge', 'rtorrent'] as const;
export type ImportSource = (typeof IMPORT_SOURCES)[number];
/** More than any server mounts. */
const MAX_MAPPINGS = 100;
/** Torrents of an answer. */
const MAX_SHOWN = 1_000;

export const importBodySchema = z.object({
  from: z.enum(IMPORT_SOURCES),
  /** The directory of that program's state on the server, absolute; left out for an archive. */
  path: pathSchema.min(1).optional(),
  /** An archive of that directory, which was sent before, in place of a path. */
  archive: idSchema.nullish(),
  /** The account that is to own the torrents; left out: the caller. */
  user_id: idSchema.nullish(),
  /** Beginnings of paths there and here; the longest one that fits holds. */
  map: z
    .array(z.object({ from: pathSchema.min(1), to: pathSchema.min(1) }))
    .max(MAX_MAPPINGS)
    .default([]),
  /** All are added paused. */
  paused: z.boolean().default(false),
  /** The first of its labels becomes the category, the others tags; else all are tags. */
  first_label_is_category: z.boolean().default(false),
  /** That program's settings, feeds and rules come along, in place of those here. */
  settings: z.boolean().default(false),
  /** Nothing is added: the report says what would be. */
  dry_run: z.boolean().default(false),
  /** Also while that program seems to run on the directory. */
  force: z.boolean().default(false),
});
export type ImportBody = Readonly<z.infer<typeof importBodySchema>>;

export const IMPORT_STATES = ['running', 'done', 'cancelled', 'failed'] as const;
export const IMPORT_RESULTS = ['imported', 'magnet', 'exists', 'skipped'] as const;

/** A sentence of a report for programs, and for pages that word it anew: docs/api.md, "Remarks". */
const remarkSchema = z
  .object({
    code: z.enum(Object.keys(REMARKS) as [RemarkCode, ...RemarkCode[]]),
    /** Texts, numbers and remarks that the sentence holds beside its words. */
    data: z.record(z.string(), z.unknown()).optional(),
  })
  .meta({ id: 'ImportRemarkDTO' });

export const importedTorrentSchema = z
  .object({
    /** The file or key by which that program's state has the torrent. */
    record: z.string(),
    infohash: z.string().nullable(),
    name: z.string(),
    save_path: z.string(),
    result: z.enum(IMPORT_RESULTS),
    /** Why it was skipped; else null. */
    reason: z.string().nullable(),
    /** Sentences about what of it is not taken over. */
    notes: z.array(z.string()),
    /** The same of each of these fields. */
    remarks: z.object({ reason: remarkSchema.nullable(), notes: z.array(remarkSchema) }),
  })
  .meta({ id: 'ImportedTorrentDTO' });
export type ImportedTorrentDto = Readonly<z.infer<typeof importedTorrentSchema>>;

export const IMPORTED_SETTING_RESULTS = ['changed', 'made', 'same', 'left_out'] as const;
/** A setting, a feed or a rule of that program. */
export const importedSettingSchema = z
  .object({
    name: z.string(),
    /** The value here before, in words; null: there was none. */
    from: z.string().nullable(),
    /** The value there; null: it is left out. */
    to: z.string().nullable(),
    /** In a dry run that which would come of it. */
    result: z.enum(IMPORTED_SETTING_RESULTS),
    /** Why it is left out, or where it differs from what it is there; else null. */
    reason: z.string().nullable(),
    /** The same of each of these fields. */
    remarks: z.object({
      name: remarkSchema,
      from: remarkSchema.nullable(),
      to: remarkSchema.nullable(),
      reason: remarkSchema.nullable(),
    }),
  })
  .meta({ id: 'ImportedSettingDTO' });
export type ImportedSettingDto = Readonly<z.infer<typeof importedSettingSchema>>;

export const importSchema = z
  .object({
    id: idSchema,
    from: z.enum(IMPORT_SOURCES),
    /** Empty for an archive. */
    path: z.string(),
    user_id: idSchema,
    dry_run: z.boolean(),
    state: z.enum(IMPORT_STATES),
    /** Why it has failed; else null. */
    error: z.string().nullable(),
    total: countSchema,
    done: countSchema,
    imported: countSchema,
    magnets: countSchema,
    existed: countSchema,
    skipped: countSchema,
    /** Sentences about what of the whole is not taken over. */
    notes: z.array(z.string()),
    /** The same of each of these fields. */
    remarks: z.object({ error: remarkSchema.nullable(), notes: z.array(remarkSchema) }),
    /** Settings, feeds and rules of that program, once the torrents are done; none unless they were asked for. */
    settings: z.array(importedSettingSchema),
    started_at: timeSchema,
    /** 0 while it runs. */
    ended_at: timeSchema,
  })
  .meta({ id: 'ImportDTO' });
export type ImportDto = Readonly<z.infer<typeof importSchema>>;
export const importListSchema = z.array(importSchema);

const rangeSchema = (most: number, fallback: number) => z.coerce.number().int().min(0).max(most).default(fallback);
export const importQuerySchema = z.object({
  /** The place of the first torrent that is told of. */
  offset: rangeSchema(Number.MAX_SAFE_INTEGER, 0),
  limit: rangeSchema(MAX_SHOWN, MAX_SHOWN),
});
/** `torrents`: those from `offset` on, in the order in which they were done. */
export const importReportSchema = importSchema.extend({ torrents: z.array(importedTorrentSchema) });
export type ImportReportDto = Readonly<z.infer<typeof importReportSchema>>;
