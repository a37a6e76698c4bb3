// Beyond the contract of docs/api.md: how the service is at the moment, on one line for people. What is told of torrents
// and of bytes is the caller's own, for administrators that of all accounts together.
import { z } from 'zod';
import { countSchema, timeSchema } from './fields.js';
import { limitsInForceSchema } from './settings.js';

/** Bytes of payload. */
const movedFields = { down: countSchema, up: countSchema };

export const statusSchema = z
  .object({
    /** Seconds since the service began. */
    uptime: countSchema,
    /** Bytes per second, and connected peers, of the torrents in sight. */
    down_rate: countSchema,
    up_rate: countSchema,
    peers: countSchema,
    limits: limitsInForceSchema,
    /** Since the service began. */
    session: z.object(movedFields),
    /** Bytes since they are counted; `since`: the day on which that began, 0 where nothing was moved yet. */
    all_time: z.object({ ...movedFields, since: timeSchema }),
    /** Bytes up by bytes down, ever; null: nothing came down. */
    ratio: z.number().min(0).nullable(),
    /** Volumes as in GET /api/storage, the one with the most torrents first. */
    disks: z.array(
      z.object({
        /** null: the system did not say in time. */
        total_bytes: countSchema.nullable(),
        free_bytes: countSchema.nullable(),
        /** Torrents of the caller go here where nothing else is said. */
        is_default: z.boolean(),
        /** For administrators only. */
        paths: z.array(z.string()),
      }),
    ),
    port: z.object({
      /** `unknown`: no peer has come by itself yet, and nobody outside is asked to try. `closed`: none can. */
      state: z.enum(['reachable', 'unknown', 'closed']),
      /** For those who may change settings. 0: there is none. */
      number: z.int().min(0).max(65_535).optional(),
    }),
    /** Unix seconds since which an engine of its own process is not reached: figures are those of before. null: it is there. */
    engine_away_since: timeSchema.nullable(),
    /** `nodes` of the routing table. */
    dht: z.object({ enabled: z.boolean(), nodes: countSchema }),
  })
  .meta({ id: 'Status' });
export type StatusDto = Readonly<z.infer<typeof statusSchema>>;
export type DiskDto = StatusDto['disks'][number];
