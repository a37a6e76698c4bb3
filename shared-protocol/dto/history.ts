// Beyond the contract of docs/api.md: what was moved when, by whom, under which category and tracker, and by which torrent.
// Points are UTC days, or five minutes of the last two days.
import { z } from 'zod';
import { countSchema, timeSchema } from './fields.js';

const secondsSchema = z.string().regex(/^\d{1,12}$/, 'expected unix seconds');
const accountSchema = z.string().regex(/^\d{1,15}$/, 'expected the id of an account');
export const resolutionSchema = z.enum(['day', '5min']);

const rangeFields = {
  from: secondsSchema.optional(),
  to: secondsSchema.optional(),
  resolution: resolutionSchema.optional(),
};

/** `id`: of an account, a category (empty: none), a tracker (its host; empty: none) or a torrent. */
export const historyQuerySchema = z.object({
  by: z.enum(['total', 'account', 'category', 'tracker', 'torrent']).optional(),
  id: z.string().max(255).optional(),
  ...rangeFields,
  account: accountSchema.optional(),
});
export type HistoryQuery = Readonly<z.infer<typeof historyQuerySchema>>;

export const trafficQuerySchema = z.object({
  by: z.enum(['account', 'category', 'tracker', 'torrent']).default('torrent'),
  ...rangeFields,
  account: accountSchema.optional(),
});
export type TrafficQuery = Readonly<z.infer<typeof trafficQuerySchema>>;

/** Bytes of payload. */
const movedFields = { down: countSchema, up: countSchema };

const rangeAnswered = {
  resolution: resolutionSchema,
  /** Seconds of a point. */
  step: z.int().min(1),
  /** The beginning of the first point, and the end of the last one. */
  from: timeSchema,
  to: timeSchema,
};

export const historySchema = z
  .object({
    ...rangeAnswered,
    total: z.object(movedFields),
    /** Points in which something was moved, in order; `at` is where a point begins. */
    points: z.array(z.object({ at: timeSchema, ...movedFields })),
  })
  .meta({ id: 'History' });
export type HistoryDto = Readonly<z.infer<typeof historySchema>>;

export const trafficSchema = z
  .object({
    ...rangeAnswered,
    /** Series that have moved most first; `*` stands for trackers or categories beyond as many as are counted apart. */
    series: z.array(z.object({ id: z.string(), ...movedFields })),
  })
  .meta({ id: 'Traffic' });
export type TrafficDto = Readonly<z.infer<typeof trafficSchema>>;
