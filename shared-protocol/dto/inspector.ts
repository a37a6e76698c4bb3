// docs/api.md: DetailDTO and its lists, the payload of `inspector:tick`, and the calls that ask for it; and the pieces,
// which are asked for by themselves, as they are many.
import { z } from 'zod';
import { countSchema, timeSchema } from './fields.js';
import { sharedTorrentSchema } from './torrents.js';

const prioritySchema = z.enum(['skip', 'normal', 'high', 'max']);

export const fileSchema = z
  .object({
    index: countSchema,
    path: z.string(),
    size: countSchema,
    bytes_done: countSchema,
    progress: z.number().min(0).max(1),
    priority: prioritySchema,
  })
  .meta({ id: 'FileDTO' });
export type FileDto = Readonly<z.infer<typeof fileSchema>>;

export const peerSchema = z
  .object({
    ip: z.string(),
    port: countSchema,
    client: z.string(),
    flags: z.string(),
    progress: z.number().min(0).max(1),
    download_rate: countSchema,
    upload_rate: countSchema,
    /** Beyond the contract of docs/api.md: bytes of payload of this connection. */
    total_down: countSchema,
    total_up: countSchema,
    /** ISO 3166 alpha-2, or ''. */
    country: z.string(),
  })
  .meta({ id: 'PeerDTO' });
export type PeerDto = Readonly<z.infer<typeof peerSchema>>;

export const trackerSchema = z
  .object({
    url: z.string(),
    /** Beyond the contract of docs/api.md: the number of its tier (BEP 12), from 0. */
    tier: countSchema,
    /** `working`, `updating`, `not contacted`, `disabled` or `error: …`. */
    status: z.string(),
    seeds: countSchema,
    peers: countSchema,
    downloaded: countSchema,
    last_announce: timeSchema,
    next_announce: timeSchema,
    /** Beyond the contract: seconds between announces, and the least of them, as it asked last; 0: it has not asked. */
    interval: countSchema,
    min_interval: countSchema,
  })
  .meta({ id: 'TrackerDTO' });
export type TrackerDto = Readonly<z.infer<typeof trackerSchema>>;

/** Beyond the contract of docs/api.md: an HTTP source of the torrent's data. */
export const webSeedSchema = z
  .object({
    /** Without secrets for viewers. */
    url: z.string(),
    /** `files`: BEP 19; `pieces`: BEP 17. */
    form: z.enum(['files', 'pieces']),
    state: z.enum(['idle', 'connected', 'waiting', 'banned']),
    download_rate: countSchema,
    /** Bytes of this connection. */
    total_down: countSchema,
  })
  .meta({ id: 'WebSeedDTO' });
export type WebSeedDto = Readonly<z.infer<typeof webSeedSchema>>;

/** Beyond the contract of docs/api.md: what its maker wrote into the torrent file; empty, or 0: nothing that is known. */
export const metainfoSchema = z
  .object({ comment: z.string(), created_by: z.string(), created_at: timeSchema, source: z.string() })
  .meta({ id: 'MetainfoDTO' });
export type MetainfoDto = Readonly<z.infer<typeof metainfoSchema>>;

/** Beyond the contract of docs/api.md: what of the torrent was downloaded for nothing since the engine started. */
export const wasteSchema = z
  .object({
    /** Pieces with a wrong hash, as often as they had one, and the bytes in them. */
    failed_pieces: countSchema,
    failed_bytes: countSchema,
    /** Bytes of blocks that were here already, or not expected any more. */
    redundant_bytes: countSchema,
  })
  .meta({ id: 'WasteDTO' });
export type WasteDto = Readonly<z.infer<typeof wasteSchema>>;

export const detailSchema = sharedTorrentSchema
  .pick({
    id: true,
    name: true,
    magnet: true,
    save_path: true,
    content_path: true,
    total_bytes: true,
    bytes_done: true,
    progress: true,
    peers: true,
    seeds: true,
    added_at: true,
    paused: true,
    completed: true,
    files_missing: true,
    ratio: true,
    total_down: true,
    total_up: true,
  })
  .extend({
    /** Beyond the contract of docs/api.md: whether beginnings and ends of files come first. */
    first_last_first: z.boolean(),
    completed_at: timeSchema.optional(),
    /** Beyond the contract, for administrators, where there are several: the engine that it is on. */
    engine: z.string().optional(),
    files: z.array(fileSchema).optional(),
    peers_list: z.array(peerSchema).optional(),
    trackers: z.array(trackerSchema).optional(),
    /** Beyond the contract: with the trackers, and with the overview. */
    web_seeds: z.array(webSeedSchema).optional(),
    metainfo: metainfoSchema.optional(),
    waste: wasteSchema.optional(),
  })
  .meta({ id: 'DetailDTO' });
export type DetailDto = Readonly<z.infer<typeof detailSchema>>;

const base64Schema = z.string().meta({ contentEncoding: 'base64' });

export const piecesSchema = z
  .object({
    /** 0 while the metadata is unknown, as the others are empty. */
    piece_count: countSchema,
    /** Bytes. */
    piece_length: countSchema,
    /** Verified pieces: one bit each, the most significant first (BEP 3), base64. */
    have: base64Schema,
    /** Connected peers that have each piece: one byte each, 255 for more, base64; absent while nothing is downloaded. */
    availability: base64Schema.optional(),
  })
  .meta({ id: 'PiecesDTO' });
export type PiecesDto = Readonly<z.infer<typeof piecesSchema>>;

/** An empty id clears; tabs of other names say nothing. */
export const focusBodySchema = z.object({
  id: z.string().max(256),
  tabs: z.array(z.string().max(64)).max(64).nullish(),
});

/** Names of tabs as for the focus, with commas between them. */
export const detailsQuerySchema = z.object({ tabs: z.string().max(256).optional() });
