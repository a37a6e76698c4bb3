// docs/api.md: TorrentDTO, GlobalStats and what the section "Torrents" takes and answers.
import { z } from 'zod';
import { DISK_STATES } from '../disk-state.js';
import { MOVE_STATES } from '../move-state.js';
import {
  countSchema,
  factsSchema,
  idSchema,
  infohashSchema,
  kbpsSchema,
  okSchema,
  pathSchema,
  timeSchema,
  urlSchema,
} from './fields.js';
import { tagSchema } from './labels.js';

const MAX_PEERS_PER_CALL = 1_000;
const MAX_PEER_ADDRESS_LENGTH = 300;
/** Hardly a name on disk is longer (engine/metainfo/safe-path.ts). */
const MAX_SHOWN_NAME_LENGTH = 240;

export const accessSchema = z.enum(['owner', 'editor', 'viewer']);
/** An account's level of access to a torrent; each level includes those below it. */
export type Access = z.infer<typeof accessSchema>;

/** Beyond the contract of docs/api.md: why a torrent does not run as it should; `message` is for people. */
const torrentErrorSchema = z
  .object({
    /** The code of `GET /api/torrents/{id}/diagnosis`: `DISK_FULL`, `FILES_MISSING`, … */
    code: z.string(),
    message: z.string(),
    /** Facts that the message holds beside its words, by the code. */
    data: factsSchema.optional(),
  })
  .meta({ id: 'TorrentErrorDTO' });

export const TRACKER_ERROR_CODES = ['UNREGISTERED', 'REFUSED', 'UNREACHABLE'] as const;
/** The meaning of a tracker's failure: it does not know the torrent, it refuses for another reason, or it did not answer. */
export type TrackerErrorCode = (typeof TRACKER_ERROR_CODES)[number];

/** Beyond the contract of docs/api.md: the failure of the first tracker that failed, where none works. */
const trackerErrorSchema = z
  .object({
    code: z.enum(TRACKER_ERROR_CODES),
    host: z.string(),
    /** The tracker's own words, or what hindered the announce. */
    message: z.string(),
  })
  .meta({ id: 'TrackerErrorDTO' });
export type TrackerErrorDto = Readonly<z.infer<typeof trackerErrorSchema>>;

export const kbpsPairSchema = z.object({ down_kbps: kbpsSchema, up_kbps: kbpsSchema }).meta({
  id: 'TorrentRateLimitsDTO',
});
export type KbpsPair = Readonly<z.infer<typeof kbpsPairSchema>>;

/** Without `access`, the one field that differs between accounts. */
export const sharedTorrentSchema = z.object({
  /** Info hash, 40 hexadecimal digits in lower case. */
  id: z.string(),
  name: z.string(),
  magnet: z.string(),
  /** Empty where another account added it first, to another folder than the caller asked for. */
  save_path: z.string(),
  /**
   * The torrent's folder, or its one file; the save path where it has no folder for several; empty while the metadata is unknown,
   * and where `save_path` is.
   */
  content_path: z.string(),
  total_bytes: countSchema,
  bytes_done: countSchema,
  /** 0..1, of what is wanted. */
  progress: z.number().min(0).max(1),
  /** Bytes per second. */
  download_rate: countSchema,
  upload_rate: countSchema,
  peers: countSchema,
  seeds: countSchema,
  paused: z.boolean(),
  completed: z.boolean(),
  /** Unix seconds. */
  added_at: timeSchema,
  category_id: idSchema.nullable(),
  tags: z.array(tagSchema),
  queue_position: countSchema,
  force_start: z.boolean(),
  sequential: z.boolean(),
  queued: z.boolean(),
  verifying: z.boolean(),
  files_missing: z.boolean(),
  // From here on beyond the contract of docs/api.md.
  /** Unix seconds of the first completion. */
  completed_at: timeSchema.nullable(),
  /** Files are being brought to another place, or get other names. */
  moving: z.boolean(),
  private: z.boolean(),
  error: torrentErrorSchema.nullable(),
  tracker_error: trackerErrorSchema.nullable(),
  /** Whether a tracker answered its last announce. */
  tracker_works: z.boolean(),
  /** Bytes of payload over its lifetime. */
  total_down: countSchema,
  total_up: countSchema,
  /** `total_up` by `bytes_done`; 0 while nothing is there. */
  ratio: z.number().min(0),
  /** Seeds and other peers of the whole swarm, as a tracker told last; -1: none has told. */
  swarm_seeds: z.int().min(-1),
  swarm_leechers: z.int().min(-1),
  /** Copies of the whole among the connected peers and here: those of the rarest piece, and as a fraction the share of the pieces that there are more of; null while nothing is downloaded or nobody is connected. */
  availability: z.number().min(0).nullable(),
  /** Unix seconds of when payload last moved, either way; 0: never. */
  last_activity_at: timeSchema,
  /** Seconds for which it was complete and ran, up to `seeding_since`. */
  seeding_seconds: countSchema,
  /** Unix seconds from which on it is seeding, to be added to `seeding_seconds`; 0: it is not. */
  seeding_since: timeSchema,
  /** 0..1, how far the check is; null while it is neither checked nor waits for that. */
  checking_progress: z.number().min(0).max(1).nullable(),
  /** Seconds for which it was neither stopped nor checked, up to `active_since`. */
  active_seconds: countSchema,
  /** Unix seconds from which on it is active, to be added to `active_seconds`; 0: it is not. */
  active_since: timeSchema,
  /** The limits of speed of its own; null: none. */
  rate_limits: kbpsPairSchema.nullable(),
  /** Whether the one of several engines that has it is not reached: it is shown as it was last. Absent: there is but one. */
  engine_away: z.boolean().optional(),
});
export type SharedTorrentDto = Readonly<z.infer<typeof sharedTorrentSchema>>;

export const torrentSchema = sharedTorrentSchema.extend({ access: accessSchema }).meta({ id: 'TorrentDTO' });
export type TorrentDto = Readonly<z.infer<typeof torrentSchema>>;
export const torrentListSchema = z.array(torrentSchema);

export const globalStatsSchema = z
  .object({
    total_torrents: countSchema,
    active_torrents: countSchema,
    seeding_torrents: countSchema,
    total_download_rate: countSchema,
    total_upload_rate: countSchema,
    total_peers: countSchema,
    /** Beyond the contract, and only there meanwhile: Unix seconds since which an engine of its own process is not reached. */
    engine_away_since: timeSchema.optional(),
    /** Only beside `engine_away_since`: others are there, and `engine_away` of each torrent says whether its own is. */
    engine_away_partly: z.literal(true).optional(),
  })
  .meta({ id: 'GlobalStats' });
export type GlobalStats = Readonly<z.infer<typeof globalStatsSchema>>;

/** Beyond the contract of docs/api.md: where it is, of an add that left it to the service to say. */
const placeFields = { server_id: idSchema.nullable().optional(), server: z.string().optional() };

export const addedSchema = z
  .object({ id: z.string(), existed: z.literal(true).optional(), ...placeFields })
  .meta({ id: 'AddedTorrent' });

/** Nothing but `ok` as in docs/api.md, except of a torrent that was there already. */
export const addedByUrlSchema = okSchema
  .extend({ existed: z.literal(true).optional(), ...placeFields })
  .meta({ id: 'AddedByUrl' });
export type AddedByUrlDto = Readonly<z.infer<typeof addedByUrlSchema>>;

/**
 * How a torrent begins, the same for the three ways to add one. All but `save_path` is more than the contract of
 * docs/api.md has; a torrent that the caller may edit already is not changed by any of it, and one that others hold
 * keeps its path.
 */
export const beginningSchema = z.object({
  /** Empty: the default of the category, then the default of all. */
  save_path: pathSchema.nullish(),
  paused: z.boolean().nullish(),
  sequential: z.boolean().nullish(),
  category_id: idSchema.nullish(),
});
export type BeginningBody = Readonly<z.infer<typeof beginningSchema>>;

/**
 * How `/api/ws` is to tell of the list: each second in full, or by what has changed (docs/semantics.md section 7), and whether
 * of remotes as well.
 */
export const framesQuerySchema = z.object({
  frames: z.enum(['full', 'delta']).optional(),
  servers: z.enum(['all']).optional(),
});
export type FramesWanted = Readonly<z.infer<typeof framesQuerySchema>>;

/** `1` deletes the data as well. */
export const deleteQuerySchema = z.object({ delete: z.string().optional() });
export const peersBodySchema = z.object({
  peers: z.array(z.string().max(MAX_PEER_ADDRESS_LENGTH)).max(MAX_PEERS_PER_CALL),
});
export const peersAddedSchema = z.object({ ok: z.literal(true), added: countSchema });
/** Beyond the contract of docs/api.md. */
export const overlapListSchema = z.array(
  z
    .object({
      /** The ids of the two. */
      torrents: z.array(z.string()).length(2),
      path: z.string(),
    })
    .meta({ id: 'Overlap' }),
);
export const trackerBodySchema = z.object({ url: urlSchema });

/** Why a torrent does not run as it should; beyond the contract of docs/api.md (docs/limits.md 2.29). */
export const diagnosisSchema = z
  .object({
    /** For people; null: nothing is wrong. */
    error: z.string().nullable(),
    /** For programs: `DISK_FULL`, `FILES_MISSING`, … */
    code: z.string().nullable(),
    /** Facts that `error` holds beside its words, by the code. */
    data: factsSchema.optional(),
    /** The reason of the torrent's last refused write; `ok` once that is over. */
    disk_state: z.enum(DISK_STATES),
  })
  .meta({ id: 'DiagnosisDTO' });
export type DiagnosisDto = Readonly<z.infer<typeof diagnosisSchema>>;

/** Beyond the contract of docs/api.md, as all of a move. */
export const moveBodySchema = z.object({
  path: pathSchema.refine((path) => path !== '', 'must not be empty'),
  /** Points the torrent at what lies there, and has it checked. */
  existing: z.boolean().nullish(),
});
export type MoveBody = Readonly<z.infer<typeof moveBodySchema>>;
export const moveSchema = z
  .object({
    state: z.enum(MOVE_STATES),
    /** Where to; null: there is no move, or the caller is not told where the torrent lies. */
    path: z.string().nullable(),
    bytes_done: countSchema,
    bytes_total: countSchema,
    /** For people. */
    error: z.string().nullable(),
    /** For programs: `DISK_FULL`, `MOVE_TARGET_TAKEN`, … */
    code: z.string().nullable(),
  })
  .meta({ id: 'MoveDTO' });
export type MoveDto = Readonly<z.infer<typeof moveSchema>>;

/** null or empty: the torrent's own name is shown again. */
export const shownNameBodySchema = z.object({
  name: z
    .string()
    .overwrite((text) => text.normalize('NFC').trim())
    .max(MAX_SHOWN_NAME_LENGTH)
    .refine((text) => !/[\p{Cc}\p{Cs}]/u.test(text), 'must not contain control characters')
    .nullable(),
});
/** Below the save path, elements joined with `/`, as the list of files has them. */
export const renameBodySchema = z.object({
  from: pathSchema.refine((path) => path !== '', 'must not be empty'),
  to: pathSchema.refine((path) => path !== '', 'must not be empty'),
});
export type RenameBody = Readonly<z.infer<typeof renameBodySchema>>;
export const renamedSchema = z
  .object({
    ok: z.literal(true),
    /** `none`: it is done; else it goes on, as the route of moves tells. */
    state: z.enum(MOVE_STATES),
  })
  .meta({ id: 'Renamed' });
export type RenamedDto = Readonly<z.infer<typeof renamedSchema>>;

export const categoryBodySchema = z.object({ infohash: infohashSchema, category_id: idSchema.nullable() });
export const tagBodySchema = z.object({ infohash: infohashSchema, tag_id: idSchema });
/** By file index; a string that is no priority means `normal`. */
export const prioritiesBodySchema = z.object({
  infohash: infohashSchema,
  priorities: z.record(z.string().regex(/^\d{1,7}$/, 'expected file indices as keys'), z.string()),
});
export const queuePositionBodySchema = z.object({ infohash: infohashSchema, pos: z.int() });
/** `up` and `down` by one place; a number: so many before the first that moves, of all the others. */
export const queueTargetSchema = z.union([z.enum(['top', 'bottom', 'up', 'down']), z.int()]);
export const forceStartBodySchema = z.object({ infohash: infohashSchema, force: z.boolean() });
export const firstLastFirstBodySchema = z.object({ infohash: infohashSchema, enabled: z.boolean() });
export const sequentialBodySchema = z.object({ infohash: infohashSchema, enabled: z.boolean() });

export const superSeedingSchema = z.object({ enabled: z.boolean() }).meta({ id: 'SuperSeeding' });

/** null is no limit; 0 is one: stop as soon as it is complete. */
export const ratioLimitSchema = z.number().min(0).nullable();
export const minutesLimitSchema = z.int().min(0).nullable();

export const seedPolicySchema = z
  .object({ use_global: z.boolean(), ratio_limit: ratioLimitSchema, time_min_limit: minutesLimitSchema })
  .meta({ id: 'SeedPolicyDTO' });
export type SeedPolicyDto = Readonly<z.infer<typeof seedPolicySchema>>;
/** Going back to the defaults says nothing of limits. */
export const seedPolicyBodySchema = seedPolicySchema
  .partial({ ratio_limit: true, time_min_limit: true })
  .superRefine((policy, context) => {
    for (const limit of ['ratio_limit', 'time_min_limit'] as const) {
      if (!policy.use_global && policy[limit] === undefined) {
        context.addIssue({ code: 'custom', path: [limit], message: 'required' });
      }
    }
  });
export type SeedPolicyBody = Readonly<z.infer<typeof seedPolicyBodySchema>>;

/** More than any machine has connections. */
const MAX_PEERS_OF_TORRENT = 10_000;
/** 0: as many as the service allows, which is never exceeded. */
export const torrentPeerLimitsSchema = z
  .object({
    max_peers: countSchema.max(MAX_PEERS_OF_TORRENT),
    upload_slots: countSchema.max(MAX_PEERS_OF_TORRENT),
  })
  .meta({ id: 'TorrentPeerLimits' });
export type TorrentPeerLimitsDto = Readonly<z.infer<typeof torrentPeerLimitsSchema>>;

export const shareSchema = z
  .object({ user_id: idSchema, username: z.string(), access: accessSchema })
  .meta({ id: 'ShareDTO' });
export type ShareDto = Readonly<z.infer<typeof shareSchema>>;
export const shareListSchema = z.array(shareSchema);
/** Ownership is not to be given away. */
export const shareBodySchema = z.object({ user_id: idSchema, access: z.enum(['viewer', 'editor']) });
