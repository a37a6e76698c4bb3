// docs/api.md: the settings resources. What the server alone writes is left out of the bodies that change them.
import { z } from 'zod';
import {
  countSchema,
  excludedNamesSchema,
  idSchema,
  kbpsSchema,
  pathSchema,
  reasonSchema,
  suffixSchema,
  timeSchema,
  urlSchema,
} from './fields.js';
import { ENCRYPTION_POLICIES } from '../encryption-policy.js';
import { CONTENT_LAYOUTS } from '../content-layout.js';
import { PREALLOCATIONS } from '../preallocation.js';
import { kbpsPairSchema, minutesLimitSchema, ratioLimitSchema } from './torrents.js';
import { MAX_STALLED_MINUTES } from '../queue-bounds.js';

export const savePathSchema = z.object({ path: pathSchema }).meta({ id: 'SavePath' });

/** The alternative pair holds while it is active. */
export const limitsSchema = kbpsPairSchema
  .extend({ alt_down_kbps: kbpsSchema, alt_up_kbps: kbpsSchema, alt_active: z.boolean() })
  .meta({ id: 'LimitsDTO' });
export type LimitsDto = Readonly<z.infer<typeof limitsSchema>>;
export const altActiveSchema = z.object({ alt_active: z.boolean() }).meta({ id: 'AltSpeed' });

/** Limits in force over all torrents: a rule's, the alternative pair (by wish or rule), or the global one. */
export const limitsInForceSchema = kbpsPairSchema
  .extend({
    source: z.enum(['rule', 'alt', 'global']),
    /** The rule that made it so. */
    rule_id: idSchema.nullable(),
    /** By the clock that rules go by: ISO 8601 with the distance from UTC. */
    now: z.iso.datetime({ offset: true }),
  })
  .meta({ id: 'LimitsInForce' });
export type LimitsInForceDto = Readonly<z.infer<typeof limitsInForceSchema>>;

/** Torrents that have moved no payload for so long run on and are not counted; 0: they are. */
export const stalledMinutesSchema = z.int().min(0).max(MAX_STALLED_MINUTES);

/** 0: no limit. `stalled_minutes` is left out where it is 0, and changes nothing where it is left out. */
export const queueLimitsSchema = z
  .object({
    max_active_downloads: countSchema,
    max_active_seeds: countSchema,
    stalled_minutes: stalledMinutesSchema.optional(),
  })
  .meta({ id: 'QueueLimitsDTO' });
export type QueueLimitsDto = Readonly<z.infer<typeof queueLimitsSchema>>;

export const peerLimitsBodySchema = z.object({
  /** 0: the engine picks one at each start. */
  listen_port: z.int().min(0).max(65_535),
  /** 0: the engine's default, 80. */
  max_peers_per_torrent: countSchema,
  dht_enabled: z.boolean(),
  encryption_enabled: z.boolean(),
  upnp_enabled: z.boolean(),
});
export type PeerLimitsBody = Readonly<z.infer<typeof peerLimitsBodySchema>>;
/** Peer settings that a flag can decide, whatever is stored. */
export const PINNABLE_PEER_SETTINGS = ['listen_port', 'dht_enabled', 'encryption_enabled', 'upnp_enabled'] as const;
/** The stored ones; `pinned` and `in_force` are beyond the contract of docs/api.md. */
export const peerLimitsSchema = peerLimitsBodySchema
  .extend({
    /** Settings that a flag has decided for this run. */
    pinned: z.array(z.enum(PINNABLE_PEER_SETTINGS)),
    /** These as they are in this run. */
    in_force: peerLimitsBodySchema.omit({ max_peers_per_torrent: true }).extend({
      /** null: the first free one of several that a flag names. */
      listen_port: peerLimitsBodySchema.shape.listen_port.nullable(),
    }),
  })
  .meta({ id: 'PeerLimitsDTO' });
export type PeerLimitsDto = Readonly<z.infer<typeof peerLimitsSchema>>;

/** How peers are met, beyond the contract of docs/api.md. All of it holds from the next start on. */
export const connectionsBodySchema = z.object({
  /** Peers of all torrents together; 0: the engine's default, 1000. Fewer where there are not enough descriptors. */
  max_peers: z.int().min(0).max(65_535),
  /** Upload slots of all torrents together; 0: as many as the measured upload rate allows, 8 to 64. */
  upload_slots: z.int().min(0).max(1_000),
  encryption: z.enum(ENCRYPTION_POLICIES),
  /** Local service discovery (BEP 14). */
  lsd_enabled: z.boolean(),
});
export type ConnectionsBody = Readonly<z.infer<typeof connectionsBodySchema>>;
export const PINNABLE_CONNECTION_SETTINGS = ['max_peers', 'encryption', 'lsd_enabled'] as const;
export const connectionsSchema = connectionsBodySchema
  .extend({
    /** Settings that a flag has decided for this run. */
    pinned: z.array(z.enum(PINNABLE_CONNECTION_SETTINGS)),
    /** These as they are in this run. */
    in_force: connectionsBodySchema.omit({ upload_slots: true }),
  })
  .meta({ id: 'ConnectionsDTO' });
export type ConnectionsDto = Readonly<z.infer<typeof connectionsSchema>>;
/** Stored; `encryption` is null as long as the switch of the peer settings says it. */
export const storedConnectionsSchema = connectionsBodySchema.extend({
  encryption: connectionsBodySchema.shape.encryption.nullable(),
});

export const seedingDefaultsSchema = z
  .object({ ratio_limit: ratioLimitSchema, time_min_limit: minutesLimitSchema })
  .meta({ id: 'SeedingDefaultsDTO' });
export type SeedingDefaultsDto = Readonly<z.infer<typeof seedingDefaultsSchema>>;

/** How torrents begin that do not say. */
export const addingDefaultsSchema = z
  .object({
    content_layout: z.enum(CONTENT_LAYOUTS),
    /** Where torrents lie until they are complete; empty: where they lie then. */
    incomplete_path: pathSchema,
    /** The suffix that names have while files are incomplete; null: none. It may be set to an empty text for that. */
    incomplete_suffix: suffixSchema.nullable(),
    /** Room that files are given when they are made. */
    preallocation: z.enum(PREALLOCATIONS),
    paused: z.boolean(),
    /** Names on disk are those that all systems have, Windows among them; else what POSIX file systems have stays as it is. */
    portable_names: z.boolean(),
    /** Files whose names match one of these, or lie in a folder whose name does, are skipped. */
    excluded_file_names: excludedNamesSchema,
  })
  .meta({ id: 'AddingDefaultsBody' });
/** `pinned`: fields that a flag has decided for this run; what is set of them holds once it is gone. */
export const shownAddingDefaultsSchema = addingDefaultsSchema
  .extend({ pinned: z.array(z.enum(['portable_names'])) })
  .meta({ id: 'AddingDefaultsDTO' });
/** Fields that are left out stay. */
export const addingDefaultsBodySchema = addingDefaultsSchema.partial();
export type AddingDefaultsBody = Readonly<z.infer<typeof addingDefaultsBodySchema>>;
export type AddingDefaultsDto = Readonly<z.infer<typeof shownAddingDefaultsSchema>>;

export const watchFolderSchema = z
  .object({ path: pathSchema, delete_after_add: z.boolean(), enabled: z.boolean() })
  .meta({ id: 'WatchFolderDTO' });
export type WatchFolderDto = Readonly<z.infer<typeof watchFolderSchema>>;

export const blocklistBodySchema = z.object({ url: urlSchema, enabled: z.boolean() });
export const blocklistSchema = blocklistBodySchema
  .extend({
    /** 0: never. */
    last_loaded_at: timeSchema,
    /** Lines of the last list, decompressed. */
    entries: countSchema,
    /** Why the last fetch failed. */
    error: z.string().optional(),
    /** The same for programs, where it has a code. */
    reason: reasonSchema.optional(),
  })
  .meta({ id: 'BlocklistDTO' });
export type BlocklistDto = Readonly<z.infer<typeof blocklistSchema>>;

export const usernameSchema = z.string().regex(/^[A-Za-z0-9._@-]{1,64}$/, 'expected 1 to 64 of A-Z a-z 0-9 . _ @ -');

export const webBodySchema = z.object({
  enabled: z.boolean(),
  /** 0 picks a free one. */
  port: z.int().min(0).max(65_535),
  bind_all: z.boolean(),
  username: usernameSchema,
});
export const webSchema = webBodySchema
  .extend({
    /** The hint of account 1's key, never the key. */
    api_key: z.string(),
    /** Settings that a flag decides at each start; a change here holds until the next one. Beyond the contract of docs/api.md. */
    pinned: z.array(z.enum(['port', 'bind_all'])),
  })
  .meta({ id: 'WebConfigDTO' });
export type WebBody = Readonly<z.infer<typeof webBodySchema>>;
export type WebDto = Readonly<z.infer<typeof webSchema>>;

export const channelSchema = z.enum(['stable', 'beta']);
/** The channel is judged by the service, which has a message of its own for it. */
export const updaterBodySchema = z.object({ enabled: z.boolean(), channel: z.string() });
export const updaterSchema = z
  .object({
    enabled: z.boolean(),
    channel: channelSchema,
    last_checked_at: timeSchema,
    last_seen_version: z.string(),
    install_source: z.enum(['apt', 'appimage', 'manual']),
    /** Beyond the contract of docs/api.md: manifests of releases must be signed. */
    signed: z.boolean(),
    /** Beyond the contract of docs/api.md: there is a source to ask; without one the checks answer `updater disabled`. */
    has_source: z.boolean(),
  })
  .meta({ id: 'UpdaterConfigDTO' });
export type UpdaterDto = Readonly<z.infer<typeof updaterSchema>>;

export const updateInfoSchema = z
  .object({
    available: z.boolean(),
    latest_version: z.string(),
    asset_url: z.string(),
    asset_filename: z.string(),
    checked_at: timeSchema,
    current_version: z.string(),
  })
  .meta({ id: 'UpdateInfoDTO' });
export type UpdateInfoDto = Readonly<z.infer<typeof updateInfoSchema>>;
