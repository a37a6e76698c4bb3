// Moves of torrents from one server to another; beyond the contract of docs/api.md (docs/operate/remotes.md).
import { z } from 'zod';
import { countSchema, idSchema, infohashSchema, pathSchema, timeSchema } from './fields.js';

/** The steps of a move in their order, and its two ends. */
export const SERVER_MOVE_STATES = ['copying', 'verifying', 'switching', 'done', 'failed'] as const;
export type ServerMoveState = (typeof SERVER_MOVE_STATES)[number];

/**
 * `one_location`: trackers never hear of two places: the copy announces itself when the source has said goodbye. `overlap`:
 * both announce themselves for a while.
 */
const politenessSchema = z.enum(['one_location', 'overlap']);

export const newServerMoveSchema = z.object({
  infohash: infohashSchema,
  /** A remote; null: this service. */
  from: idSchema.nullable(),
  to: idSchema.nullable(),
  /** Whether the files of the source go with it. @default true */
  delete_data: z.boolean().default(true),
  politeness: politenessSchema.default('one_location'),
  /** On the server that it goes to; empty: as for a torrent that is added there. */
  save_path: pathSchema.default(''),
});
export type NewServerMove = Readonly<z.infer<typeof newServerMoveSchema>>;

export const serverMoveSchema = z
  .object({
    id: idSchema,
    user_id: idSchema,
    infohash: z.string(),
    name: z.string(),
    from: idSchema.nullable(),
    to: idSchema.nullable(),
    delete_data: z.boolean(),
    politeness: politenessSchema,
    state: z.enum(SERVER_MOVE_STATES),
    /** Why it has failed, or what it waits for, for people. */
    reason: z.string().nullable(),
    /** Bytes of the copy that are verified, and its size. */
    bytes_done: countSchema,
    bytes_total: countSchema,
    started_at: timeSchema,
    /** Unix seconds of its end; 0: it goes on. */
    ended_at: timeSchema,
  })
  .meta({ id: 'ServerMoveDTO' });
export type ServerMoveDto = Readonly<z.infer<typeof serverMoveSchema>>;
export const serverMoveListSchema = z.array(serverMoveSchema);
