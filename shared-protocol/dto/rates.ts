// Beyond the contract of docs/api.md: how fast it went, in columns as graphs take them.
import { z } from 'zod';
import { countSchema, timeSchema } from './fields.js';

/** Ten minutes by the second, six hours by ten seconds, 30 days by five minutes, two years by the hour. */
const MAX_SECONDS = 2 * 365 * 86_400;
/** Six hours by ten seconds. */
const MAX_POINTS = 2_160;

/** `seconds`: how far back; `points`: more than that are merged to means. */
export const ratesQuerySchema = z.object({
  seconds: z.coerce.number().int().min(60).max(MAX_SECONDS).default(3_600),
  points: z.coerce.number().int().min(10).max(MAX_POINTS).default(600),
  account: z
    .string()
    .regex(/^\d{1,15}$/, 'expected the id of an account')
    .optional(),
});
export type RatesQuery = Readonly<z.infer<typeof ratesQuerySchema>>;

/** Bytes of payload per second, a value for each step; null: not known, as while the service was off. */
const columnSchema = z.array(countSchema.nullable());

export const ratesSchema = z
  .object({
    /** Seconds of a step. */
    step: z.int().min(1),
    /** The beginning of the first step. */
    from: timeSchema,
    down: columnSchema,
    up: columnSchema,
  })
  .meta({ id: 'Rates' });
export type RatesDto = Readonly<z.infer<typeof ratesSchema>>;
