// One action on many torrents; beyond the contract of docs/api.md. Each action takes what the route for one torrent takes.
import { z } from 'zod';
import { batchOutcomeSchema } from './batch-outcome.js';
import { idSchema, infohashSchema } from './fields.js';
import { seedingRuleBodySchema } from './seeding.js';
import {
  firstLastFirstBodySchema,
  forceStartBodySchema,
  kbpsPairSchema,
  moveBodySchema,
  peersBodySchema,
  queuePositionBodySchema,
  queueTargetSchema,
  seedPolicyBodySchema,
  sequentialBodySchema,
  shareBodySchema,
  superSeedingSchema,
  torrentPeerLimitsSchema,
  trackerBodySchema,
} from './torrents.js';
import { tiersBodySchema } from './trackers.js';

/** Torrents of one request: as many as fit into a body. */
const MAX_TORRENTS = 20_000;

const action = <Name extends string, Shape extends z.ZodRawShape>(name: Name, shape: Shape) =>
  z.object({ action: z.literal(name), ...shape });

export const batchActionSchema = z.discriminatedUnion('action', [
  action('pause', {}),
  action('resume', {}),
  action('recheck', {}),
  action('announce', {}),
  action('remove', { /** Deletes the data as well. */ delete_data: z.boolean().default(false) }),
  action('move', moveBodySchema.shape),
  action('category', { category_id: idSchema.nullable() }),
  action('add_tag', { tag_id: idSchema }),
  action('remove_tag', { tag_id: idSchema }),
  action('queue_position', queuePositionBodySchema.omit({ infohash: true }).shape),
  /** All of them together: they keep their order among themselves. */
  action('queue_move', { to: queueTargetSchema }),
  action('force_start', forceStartBodySchema.omit({ infohash: true }).shape),
  action('sequential', sequentialBodySchema.omit({ infohash: true }).shape),
  action('super_seeding', superSeedingSchema.shape),
  action('first_last_first', firstLastFirstBodySchema.omit({ infohash: true }).shape),
  action('seed_policy', { policy: seedPolicyBodySchema }),
  action('seeding_rule', seedingRuleBodySchema.shape),
  action('rate_limits', kbpsPairSchema.shape),
  action('peer_limits', torrentPeerLimitsSchema.shape),
  action('add_peers', peersBodySchema.shape),
  action('add_tracker', trackerBodySchema.shape),
  action('remove_tracker', trackerBodySchema.shape),
  action('set_trackers', tiersBodySchema.shape),
  action('share', shareBodySchema.shape),
  action('unshare', { user_id: idSchema }),
]);
export type BatchAction = Readonly<z.infer<typeof batchActionSchema>>;
export type BatchActionName = BatchAction['action'];

export const batchBodySchema = z.intersection(
  z.object({ ids: z.array(infohashSchema).min(1).max(MAX_TORRENTS) }),
  batchActionSchema,
);

/** In the order of the ids, each of which is acted on once. */
export const batchAnswerSchema = z.object({ outcomes: z.array(batchOutcomeSchema) }).meta({ id: 'BatchAnswer' });
