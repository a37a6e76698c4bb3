// Beyond the contract of docs/api.md: the engines of a front that has several.
import { z } from 'zod';
import { countSchema, timeSchema } from './fields.js';

/**
 * Why an engine is away. `NOBODY_THERE`: nothing answers at its address; `REFUSED`: it does not admit us; `MISTAKEN`: what is there is
 * another engine, or none; `FAILED`: the connection failed, or a start; `TOO_MANY_TORRENTS`: it tells of more than there is memory for.
 */
export const AWAY_CODES = [
  'NOT_REACHED',
  'NOBODY_THERE',
  'REFUSED',
  'MISTAKEN',
  'LOADING',
  'FAILED',
  'SILENT',
  'CLOSED',
  'TOO_MANY_TORRENTS',
] as const;

export type AwayCode = (typeof AWAY_CODES)[number];

const engineSchema = z.object({
  name: z.string(),
  /** Where it is, as the front reaches it. */
  address: z.string(),
  /** Unix seconds since which it is away, or has not told what it has; null: it is there. */
  away_since: timeSchema.nullable(),
  /** Why, in words; empty while it is there. */
  reason: z.string(),
  /** The same for programs; null while it is there. */
  reason_code: z.enum(AWAY_CODES).nullable(),
  /** Words of the engine or of the system about what the code leaves open; mostly empty. */
  reason_detail: z.string(),
  /** The version of its program; empty while that is not known. */
  version: z.string(),
  /** The number of torrents that are shown of it, also while it is away. */
  torrents: countSchema,
  /** Accounts whose torrents it saves. */
  accounts: countSchema,
  /** The port that peers reach it at, as it was when it was loaded last; null: not known. */
  peer_port: countSchema.nullable(),
  /** Folders below which it saves; none: anywhere. */
  roots: z.array(
    z.object({
      name: z.string(),
      path: z.string(),
      /** Other engines have the same folder at the same path. */
      shared: z.boolean(),
    }),
  ),
  /** Whether its torrents on shared roots go to others, and nothing new is saved by it. */
  draining: z.boolean(),
});

export const engineEditSchema = z.object({ draining: z.boolean() }).meta({ id: 'EngineEdit' });

/** The first one is that of accounts that name none. */
export const engineListSchema = z.array(engineSchema).meta({ id: 'EngineList' });
export type EngineDto = Readonly<z.infer<typeof engineSchema>>;
