// Webhooks: what happens to torrents is told to a URL; beyond the contract of docs/api.md.
import { z } from 'zod';
import { HOOK_EVENTS } from '../hook-events.js';
import { countSchema, idSchema, okSchema, reasonSchema, timeSchema, urlSchema } from './fields.js';

const hookEventSchema = z.enum(HOOK_EVENTS);
const wantedEventsSchema = z.array(hookEventSchema).min(1).max(HOOK_EVENTS.length);

export const newWebhookSchema = z.object({
  url: urlSchema.min(1),
  /** @default all */
  events: wantedEventsSchema.default([...HOOK_EVENTS]),
});
/** Fields that are left out stay. A webhook that is enabled again begins anew. */
export const webhookChangeSchema = z.object({
  url: urlSchema.min(1).optional(),
  events: wantedEventsSchema.optional(),
  enabled: z.boolean().optional(),
});
export type WebhookChange = Readonly<z.infer<typeof webhookChangeSchema>>;

export const webhookSchema = z
  .object({
    id: idSchema,
    user_id: idSchema,
    url: z.string(),
    events: z.array(hookEventSchema),
    enabled: z.boolean(),
    created_at: timeSchema,
    /** Messages that wait for their turn, or for another attempt. */
    pending: countSchema,
    /** Messages that were given up since the service started. */
    dropped: countSchema,
    /** When a message arrived last; 0: none since the service started. */
    last_success: timeSchema,
    /** When the last attempt ended. */
    last_attempt: timeSchema,
    /** Why it failed, for people; null: it went well, or there was none. */
    last_error: z.string().nullable(),
    /** The same for programs; null: it has no code, or there was none. */
    last_reason: reasonSchema.nullable(),
    /** When the next attempt begins; 0: there is nothing to send. */
    next_attempt: timeSchema,
    /** When its receiver answered 410, which switched it off; 0: it did not. */
    gone_at: timeSchema,
  })
  .meta({ id: 'WebhookDTO' });
export type WebhookDto = Readonly<z.infer<typeof webhookSchema>>;
export const webhookListSchema = z.array(webhookSchema);

/** `secret` is shown this once: messages are signed with it. */
export const madeWebhookSchema = webhookSchema.extend({ secret: z.string() }).meta({ id: 'MadeWebhookDTO' });
export type MadeWebhookDto = Readonly<z.infer<typeof madeWebhookSchema>>;

/** A message was taken, with this status of HTTP. */
export const webhookTestSchema = okSchema.extend({ status: z.int() }).meta({ id: 'WebhookTestDTO' });
export type WebhookTestDto = Readonly<z.infer<typeof webhookTestSchema>>;
