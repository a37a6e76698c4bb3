// docs/api.md, "Additions": torrents that are made of files of the server.
import { z } from 'zod';
import { CREATION_STATES } from '../creation-state.js';
import { MAX_TRACKERS, MAX_WEB_SEEDS } from '../torrent-bounds.js';
import { countSchema, idSchema, pathSchema, reasonSchema, timeSchema, urlSchema } from './fields.js';

const KIB = 1024;
const MIB = 1024 * KIB;
/** Some pages that people read beside a torrent. No spec value. */
const MAX_COMMENT_LENGTH = 4 * KIB;
const MAX_SHORT_TEXT_LENGTH = 256;
/** Lengths of pieces that all programs take. */
const MIN_PIECE_LENGTH = 16 * KIB;
const MAX_PIECE_LENGTH = 64 * MIB;

const lineSchema = z
  .string()
  .max(MAX_SHORT_TEXT_LENGTH)
  .refine((text) => !/\p{Cc}/u.test(text), 'must not contain control characters');

export const createBodySchema = z.object({
  /** A file or a folder; a relative one is below the account's default save path. */
  path: pathSchema.min(1),
  /** In bytes, a power of two; left out: by the size of the whole. */
  piece_length: z
    .int()
    .min(MIN_PIECE_LENGTH)
    .max(MAX_PIECE_LENGTH)
    .refine((length) => Number.isInteger(Math.log2(length)), 'expected a power of two')
    .nullish(),
  /** BEP 27. */
  private: z.boolean().default(false),
  /** BEP 47: each file begins with a piece. */
  pad_files: z.boolean().default(false),
  /** Tiers in the order in which their trackers are tried (BEP 12). */
  trackers: z.array(z.array(urlSchema).max(MAX_TRACKERS)).max(MAX_TRACKERS).default([]),
  /** BEP 19. */
  web_seeds: z.array(urlSchema).max(MAX_WEB_SEEDS).default([]),
  /** Set by trackers so that theirs is another torrent than the same files elsewhere. */
  source: lineSchema.default(''),
  comment: z.string().max(MAX_COMMENT_LENGTH).default(''),
  /** Left out: this program and its version. */
  created_by: lineSchema.nullish(),
  /** Adds the torrent from where its files lie, without another check. */
  seed: z.boolean().default(false),
  /** The category of the torrent that is added. */
  category_id: idSchema.nullish(),
});
export type CreateBody = Readonly<z.infer<typeof createBodySchema>>;

export const creationSchema = z
  .object({
    id: idSchema,
    /** The account that asked for it. */
    user_id: idSchema,
    path: z.string(),
    state: z.enum(CREATION_STATES),
    bytes_done: countSchema,
    /** 0 until the files have been listed, as are the next two. */
    bytes_total: countSchema,
    files: countSchema,
    piece_length: countSchema,
    /** null until it is done. */
    infohash: z.string().nullable(),
    /** The torrent that was added; null: none, or not yet. */
    torrent_id: z.string().nullable(),
    /** Why there is no torrent file, or why it could not be added. */
    error: z.string().nullable(),
    /** The error's code. */
    code: z.string().nullable(),
    /** The reason of that error, where it has a code of its own. */
    reason: reasonSchema.nullable(),
    created_at: timeSchema,
    /** From then on it is forgotten; 0 until it has ended. */
    expires_at: timeSchema,
  })
  .meta({ id: 'CreationDTO' });
export type CreationDto = Readonly<z.infer<typeof creationSchema>>;
export const creationListSchema = z.array(creationSchema);
