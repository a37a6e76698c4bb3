// docs/api.md, "Additions": what the page keeps for an account from one browser to the next. The server knows the bounds
// of the entries, the page what is in them.
import { z } from 'zod';

export const MAX_PREFERENCES = 100;
/** The bound on all entries of an account together, as JSON in UTF-8. */
export const MAX_PREFERENCES_BYTES = 64 * 1024;
/** Readers of JSON go down by a call for each level. */
const MAX_DEPTH = 16;

const entryNameSchema = z
  .string()
  .regex(/^[a-z][a-z0-9.-]{0,63}$/, 'expected a name of at most 64 of a-z, 0-9, dot and hyphen, a letter first');

export const preferencesSchema = z.record(entryNameSchema, z.unknown());
export type PreferencesDto = Readonly<Record<string, unknown>>;

/** Entries to set; null takes one away, and those that are not named stay. */
export const preferenceChangesSchema = z.record(
  entryNameSchema,
  z.unknown().refine((value) => isShallow(value), `nested more than ${MAX_DEPTH} levels deep`),
);

function isShallow(value: unknown): boolean {
  let level: unknown[] = [value];
  for (let depth = 0; depth <= MAX_DEPTH; depth++) {
    const below = level.flatMap((each) => (typeof each === 'object' && each !== null ? Object.values(each) : []));
    if (below.length === 0) return true;
    level = below;
  }
  return false;
}
