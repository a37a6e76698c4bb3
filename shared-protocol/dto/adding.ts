// How a torrent is added, and what can be wanted of it from its beginning, the same for the three ways to add one. More
// than the contract of docs/api.md has, but for the magnet, the URL and the path; a torrent that the caller may edit
// already is not changed by any of it, and one that others hold is asked for the caller's share alone.
import { z } from 'zod';
import { CONTENT_LAYOUTS } from '../content-layout.js';
import { PREALLOCATIONS } from '../preallocation.js';
import { MAX_TAGS } from '../torrent-bounds.js';
import { countSchema, excludedNamesSchema, idSchema, pathSchema, suffixSchema } from './fields.js';
import { givenRuleSchema } from './seeding.js';
import { beginningSchema, kbpsPairSchema, seedPolicyBodySchema, shownNameBodySchema } from './torrents.js';

/** No spec value: longer magnets than any client writes. */
const MAX_MAGNET_LENGTH = 64 * 1024;
const FILE_INDEX = z.string().regex(/^\d{1,7}$/, 'expected file indices as keys');

export const addingWishesSchema = z.object({
  /** Shown in place of its own to those who see this share. */
  name: shownNameBodySchema.shape.name.optional(),
  /** Ids, each of them once. */
  tags: z.array(idSchema).max(MAX_TAGS).nullish(),
  seed_policy: seedPolicyBodySchema.nullish(),
  /** The rule of when it has seeded enough, in place of `seed_policy`. */
  seeding_rule: givenRuleSchema.nullish(),
  /** null: as the setting has it. */
  content_layout: z.enum(CONTENT_LAYOUTS).nullish(),
  /** Where it lies until it is complete, and is then moved to its save path; empty: there at once; null: as the setting has it. */
  incomplete_path: pathSchema.nullish(),
  /** The suffix that names have while files are incomplete; empty: none; null: as the setting has it. */
  incomplete_suffix: suffixSchema.nullish(),
  /** null: as the setting has it. */
  preallocation: z.enum(PREALLOCATIONS).nullish(),
  /** Names on disk are those that all systems have, Windows among them; null: as the setting has it. */
  portable_names: z.boolean().nullish(),
  /**
   * Files whose names match one of these, or lie in a folder whose name does, are `skip` unless `file_priorities` names them;
   * empty: none; null: as the setting has it.
   */
  excluded_file_names: excludedNamesSchema.nullish(),
  /** Limits of this torrent alone. */
  rate_limits: kbpsPairSchema.nullish(),
  /**
   * By file index; files that are not named are `normal`. Of a magnet, 1,000 at most, they hold when its metadata comes,
   * and those that name no file of it for nothing.
   */
  file_priorities: z.record(FILE_INDEX, z.enum(['skip', 'normal', 'high', 'max'])).nullish(),
  /** The first and last hundredth of each wanted file, one piece at least, before all else. */
  first_last_first: z.boolean().nullish(),
  force_start: z.boolean().nullish(),
  /** The queue is common to all accounts, and one that joins a torrent leaves it where it is. */
  queue_position: z.enum(['top', 'bottom']).nullish(),
  /** Pauses once its metadata is there, or what lies there has been checked; resumed before that it does not. */
  stop_after: z.enum(['metadata', 'check']).nullish(),
  /**
   * Files that lie there are not checked, if all wanted files are the caller's to take over, with their very sizes and no time in
   * the future; each piece is hashed before anything of it goes out. Else it is checked.
   */
  skip_check: z.boolean().nullish(),
});
export type AddingWishesBody = Readonly<z.infer<typeof addingWishesSchema>>;

export const addingSchema = beginningSchema.extend(addingWishesSchema.shape);
export type AddingBody = Readonly<z.infer<typeof addingSchema>>;

export const magnetBodySchema = addingSchema.extend({ magnet: z.string().max(MAX_MAGNET_LENGTH) });

const torrentUrlSchema = z.string().trim().max(MAX_MAGNET_LENGTH);
/** A magnet, or an http or https URL of a torrent file. */
export const urlBodySchema = addingSchema.extend({ url: torrentUrlSchema });

/** An http or https URL of a torrent file. */
export const inspectUrlBodySchema = z.object({ url: torrentUrlSchema });

/** Files of a torrent file that are listed; of more than a person chooses from the first ones. */
export const MAX_FILES_INSPECTED = 10_000;
export const inspectedTorrentSchema = z
  .object({
    /** The info hash. Whether there is such a torrent already is not said. */
    id: z.string(),
    name: z.string(),
    total_bytes: countSchema,
    piece_length: countSchema,
    piece_count: countSchema,
    private: z.boolean(),
    /** How many there are; the first 10,000 of them are listed. */
    file_count: countSchema,
    /** Names as they would be on disk, by the indexes that `file_priorities` takes. */
    files: z.array(
      z.object({
        index: countSchema,
        path: z.string(),
        size: countSchema,
        /** Skipped by its name where nothing else is wanted, as `excluded_file_names` of the settings has it. Absent: not. */
        excluded: z.literal(true).optional(),
      }),
    ),
    /** Hosts of its trackers, with ports where they are named. */
    trackers: z.array(z.string()),
  })
  .meta({ id: 'InspectedTorrentDTO' });
export type InspectedTorrentDto = Readonly<z.infer<typeof inspectedTorrentSchema>>;
