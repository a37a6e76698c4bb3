// What is stored of moves between servers: enough to go on after any process has died at any moment.
import { z } from 'zod';
import { countSchema, idSchema, timeSchema } from '../../../shared-protocol/dto/fields.js';
import { serverMoveSchema, type ServerMoveDto } from '../../../shared-protocol/dto/server-moves.js';

const storedMoveSchema = serverMoveSchema.extend({
  save_path: z.string(),
  /** The target had it before: it is not the move's to take away. */
  existed: z.boolean(),
  /** The source was paused: it runs while it is copied, and the copy is paused in its place. */
  was_paused: z.boolean().default(false),
  /** Announce addresses of the source, in their tiers; null: it was not asked yet. */
  tiers: z.array(z.array(z.string())).nullable(),
  /** Unix seconds of the last byte or step. */
  progressed_at: timeSchema,
  /** Unix seconds from which on the copy announces itself; 0: it does not. */
  announced_at: timeSchema,
  /** Why it is being given up, and whether the copy goes with it; null: it is not. */
  giving_up: z.object({ reason: z.string(), removes_copy: z.boolean() }).nullable(),
  bytes_done: countSchema,
});
export const serverMovesSchema = z.object({ next_id: idSchema, moves: z.array(storedMoveSchema) });
export type ServerMovesData = z.infer<typeof serverMovesSchema>;
export type StoredMove = Readonly<ServerMovesData['moves'][number]>;
export const NO_SERVER_MOVES: ServerMovesData = { next_id: 1, moves: [] };

/** The fields of a move that its steps change. */
export type MoveChange = Partial<
  Pick<
    StoredMove,
    | 'state'
    | 'reason'
    | 'existed'
    | 'tiers'
    | 'progressed_at'
    | 'announced_at'
    | 'giving_up'
    | 'bytes_done'
    | 'bytes_total'
    | 'ended_at'
  >
>;

export function isEnded({ state }: Pick<StoredMove, 'state'>): boolean {
  return state === 'done' || state === 'failed';
}

export function toServerMoveDto(move: StoredMove): ServerMoveDto {
  return serverMoveSchema.parse(move);
}
