// Remotes: other Swarmds whose torrents are shown and worked on from here; beyond the contract of docs/api.md
// (docs/operate/remotes.md).
import { z } from 'zod';
import { countSchema, idSchema, nameSchema, timeSchema, urlSchema } from './fields.js';
import { torrentSchema } from './torrents.js';

const MAX_KEY_CHARS = 200;
const MAX_ACCOUNTS = 1_000;

/** `connecting`: it was not reached yet; `refused`: it does not take the key; `disabled`: nothing is tried. */
export const REMOTE_STATES = ['connecting', 'connected', 'unreachable', 'refused', 'disabled'] as const;
export type RemoteState = (typeof REMOTE_STATES)[number];

/** By certificate authorities, or by the SHA-256 of the one certificate that it shows. */
const tlsSchema = z
  .string()
  .overwrite((text) => text.trim().toLowerCase())
  .regex(/^(?:verify|pin:[0-9a-f]{64})$/, 'expected verify, or pin: and the SHA-256 of a certificate in hexadecimal');

const keySchema = z
  .string()
  .trim()
  .min(1)
  .max(MAX_KEY_CHARS)
  .regex(/^[\x21-\x7e]+$/, 'must not contain spaces or control characters');

const userIdsSchema = z.array(idSchema).max(MAX_ACCOUNTS);

export const newRemoteSchema = z.object({
  name: nameSchema,
  /** With the sub-path that a proxy has it at, if any. */
  url: urlSchema.min(1),
  /** The key of an account there: what it may there is what can be done from here. */
  api_key: keySchema,
  tls: tlsSchema.default('verify'),
  enabled: z.boolean().default(true),
  /** The accounts here that see it and act with its key. @default the caller */
  user_ids: userIdsSchema.optional(),
});
export type NewRemote = Readonly<z.infer<typeof newRemoteSchema>>;

/** Fields that are left out stay. */
export const remoteChangeSchema = z.object({
  name: nameSchema.optional(),
  url: urlSchema.min(1).optional(),
  api_key: keySchema.optional(),
  tls: tlsSchema.optional(),
  enabled: z.boolean().optional(),
  user_ids: userIdsSchema.optional(),
});
export type RemoteChange = Readonly<z.infer<typeof remoteChangeSchema>>;

export const remoteSchema = z
  .object({
    id: idSchema,
    name: z.string(),
    enabled: z.boolean(),
    state: z.enum(REMOTE_STATES),
    /** Unix seconds from which on it is in that state. */
    since: timeSchema,
    /** Why it is not connected, for people. */
    reason: z.string().nullable(),
    /** Torrents in its list, which stays as it was last while it is away. */
    torrents: countSchema,
    /** Unix seconds of the last message about the list; 0: none came since the service started. */
    last_heard: timeSchema,
    /** These three for administrators only. */
    url: z.string().optional(),
    tls: z.string().optional(),
    user_ids: z.array(idSchema).optional(),
  })
  .meta({ id: 'RemoteDTO' });
export type RemoteDto = Readonly<z.infer<typeof remoteSchema>>;
export const remoteListSchema = z.array(remoteSchema);

/** The answer of a remote that was asked who it is. */
export const remoteTestSchema = z
  .object({
    version: z.string(),
    username: z.string(),
    role: z.string(),
    perm_add_torrents: z.boolean(),
    /** On the volume of the default save path; null: it does not tell. */
    free_bytes: countSchema.nullable(),
  })
  .meta({ id: 'RemoteTestDTO' });
export type RemoteTestDto = Readonly<z.infer<typeof remoteTestSchema>>;

export const serversQuerySchema = z.object({
  infohash: z
    .string()
    .regex(/^[0-9a-fA-F]{40}$/, 'expected 40 hexadecimal digits')
    .optional(),
});

/** Servers by id and name; null: this one. */
export const serverPlaceListSchema = z.array(
  z.object({ server_id: idSchema.nullable(), server: z.string() }).meta({ id: 'ServerPlaceDTO' }),
);

/** `all`: the torrents of the remotes that the caller sees come after its own. `server_id`: those of that remote alone. */
export const listQuerySchema = z
  .object({ servers: z.enum(['all']).optional(), server_id: z.string().optional() })
  .refine(({ server_id: id }) => id === undefined || /^[1-9]\d{0,14}$/.test(id), {
    path: ['server_id'],
    message: 'expected the id of a server',
  })
  .refine(({ servers, server_id }) => servers === undefined || server_id === undefined, {
    path: ['server_id'],
    message: 'not both servers and server_id',
  });

/** Each second to clients that asked for servers: of each remote its state, and what has changed of its list since the one before. */
export const serversTickSchema = z.array(
  z
    .object({
      server_id: idSchema,
      state: z.enum(REMOTE_STATES),
      /** The list in full: what the client had of it goes. */
      full: z.boolean(),
      /** Torrents that are new or have changed, whole. */
      upsert: z.array(torrentSchema.extend({ server_id: idSchema })),
      /** Ids of torrents that are gone. */
      removed: z.array(z.string()),
    })
    .meta({ id: 'ServerTickDTO' }),
);

/** A torrent of this service or, with `server_id`, of a remote. */
export const serverTorrentListSchema = z.array(
  torrentSchema.extend({ server_id: idSchema.optional() }).meta({ id: 'ServerTorrentDTO' }),
);
