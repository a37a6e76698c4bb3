// What a front and an engine of its own process tell each other (docs/operate/engine-process.md): one ordered stream, so that events
// come in the order sent and before the answer to what caused them. Whatever comes from the other side is checked here.
import { z } from 'zod';
import type { CallOutcome } from '../calls.js';
import { COMMAND_DEADLINES_MS } from '../commands/deadlines.js';
import { type CommandName } from '../commands.js';
import type { EngineEvent } from '../events.js';
import { isEvent, isOutcome } from './event-shape.js';

/** The version that both sides have to have: named in the handshake of the WebSocket, so that others learn it in words. */
export const STREAM_PROTOCOL = 'swarmd-engine.1';

/** The only path that is answered. */
export const STREAM_PATH = '/engine';

/** Which front it is: one that comes again takes the place of its own stream that hangs. */
export const FRONT_ID_HEADER = 'x-swarmd-front';

const ID = /^[0-9a-f]{32}$/;

/** Whether a text names a front, an engine or a run of one. */
export function isStreamId(text: unknown): text is string {
  return typeof text === 'string' && ID.test(text);
}

const names = Object.keys(COMMAND_DEADLINES_MS) as [CommandName, ...CommandName[]];
const count = z.int().min(0);
const id = z.string().regex(ID);

const helloSchema = z.object({
  kind: z.literal('hello'),
  /** The run of the engine that the front has heard last, and how many of its events; null: none. */
  heard: z.object({ epoch: id, sequence: count }).nullable(),
});

const callSchema = z.object({
  kind: z.literal('call'),
  /** One more than that of the call before: a message that is played again is none. */
  id: count,
  name: z.enum(names),
  params: z.unknown(),
});

const frontMessageSchema = z.discriminatedUnion('kind', [helloSchema, callSchema]);
export type FrontMessage = z.infer<typeof frontMessageSchema>;
export type Hello = z.infer<typeof helloSchema>;
export type Call = z.infer<typeof callSchema>;

const welcomeSchema = z.object({
  kind: z.literal('welcome'),
  /** The engine for as long as it has its data directory. */
  engineId: id,
  /** This run of it. */
  epoch: id,
  /** Events so far. */
  sequence: count,
  /** The events that the front has not heard follow; else it is to start anew. */
  isResumed: z.boolean(),
  version: z.string().max(64),
  /** Folders below which torrents may be saved; none: anywhere. */
  roots: z
    .array(
      z.object({
        name: z.string().max(256),
        path: z.string().max(4096),
        /** Other engines have the same folder at the same path. */
        isShared: z.boolean().optional(),
      }),
    )
    .max(100),
});
export type Welcome = z.infer<typeof welcomeSchema>;
export type Root = Welcome['roots'][number];

/** The first that is none says it of the list: of millions no fault each is kept. */
const isListOfEvents = (value: unknown): boolean => Array.isArray(value) && value.every(isEvent);

const engineMessageSchema = z.discriminatedUnion('kind', [
  welcomeSchema,
  /** `first`: the sequence number of the first of them. */
  z.object({ kind: z.literal('events'), first: count, events: z.custom(isListOfEvents) }),
  /** Rows of the stats table (shared-protocol/stats-mirror.ts). */
  z.object({ kind: z.literal('rows'), bytes: z.instanceof(Uint8Array) }),
  z.object({ kind: z.literal('answer'), id: count, outcome: z.custom(isOutcome) }),
]);

export type EngineMessage =
  | Welcome
  | { readonly kind: 'events'; readonly first: number; readonly events: readonly EngineEvent[] }
  | { readonly kind: 'rows'; readonly bytes: Uint8Array }
  | { readonly kind: 'answer'; readonly id: number; readonly outcome: CallOutcome<unknown> };

/** The message; null: it is none. Its parameters are what the front says. */
export function frontMessageOf(value: unknown): FrontMessage | null {
  return frontMessageSchema.safeParse(value).data ?? null;
}

/** The message; null: it is none. What the answers in it have for a value is not looked into. */
export function engineMessageOf(value: unknown): EngineMessage | null {
  const parsed = engineMessageSchema.safeParse(value);
  return parsed.success ? (parsed.data as EngineMessage) : null;
}
