// docs/api.md, "Additions": the last lines of the service's log, for administrators.
import { z } from 'zod';
import { LOG_LEVELS } from '../log-levels.js';
import { countSchema } from './fields.js';

/** Lines that are kept in memory: the oldest goes first. */
export const MAX_LOG_RECORDS = 2_000;
const MAX_AT_ONCE = 1_000;
const MAX_TEXT_LENGTH = 200;

const levelSchema = z.enum(LOG_LEVELS);
export const LOG_PARTS = ['api', 'engine'] as const;
const partSchema = z.enum(LOG_PARTS);
export type LogPart = z.infer<typeof partSchema>;

export const logQuerySchema = z.object({
  /** This serious or more. @default all */
  level: levelSchema.optional(),
  part: partSchema.optional(),
  /** Found in the message or its fields, whatever the case. */
  text: z.string().max(MAX_TEXT_LENGTH).optional(),
  /** Records behind this one. @default from the oldest on */
  after: z
    .string()
    .regex(/^\d{1,15}$/, 'expected a whole number')
    .optional(),
});

export const logRecordSchema = z
  .object({
    /** Ascending, from 1 at each start. */
    id: countSchema,
    unix_ms: countSchema,
    level: levelSchema,
    part: partSchema,
    message: z.string(),
    fields: z.record(z.string(), z.union([z.string(), z.number(), z.boolean(), z.null()])),
  })
  .meta({ id: 'LogRecord' });
export type LogRecord = Readonly<z.infer<typeof logRecordSchema>>;

export const MAX_LOG_ANSWER = MAX_AT_ONCE;
export const logSchema = z
  .object({
    /** The newest that fit the query, 1,000 at most, the oldest of them first. */
    records: z.array(logRecordSchema),
    /** The id of the last record there is, which may not fit the query. */
    last: countSchema,
    /** Changes when the service is started: its records begin anew. */
    run: z.string(),
    /** The level of the service: less serious lines are nowhere. */
    level: z.enum(['trace', ...LOG_LEVELS, 'silent']),
  })
  .meta({ id: 'Log' });
export type LogDto = Readonly<z.infer<typeof logSchema>>;
