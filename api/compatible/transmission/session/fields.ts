// Kinds of values that settings of Transmission have, named in snake_case as the arguments of methods are (../names.ts),
// and their names as they are answered: kebab-case, but for two.
import { z } from 'zod';
import { RequestError } from '../../../errors.js';

const CAMEL_CASE: Readonly<Record<string, string>> = {
  seed_ratio_limit: 'seedRatioLimit',
  seed_ratio_limited: 'seedRatioLimited',
};

export function oldNameOf(name: string): string {
  return CAMEL_CASE[name] ?? name.replaceAll('_', '-');
}

/** 0 and 1 as well. */
export const flagSchema = z.preprocess((value) => (value === 0 || value === 1 ? value === 1 : value), z.boolean());

/** A limit that is to hold. @throws RequestError `BODY_INVALID` for 0, which holds everything back there and nothing here */
export function limitAbove0(name: string, limit: number): number {
  if (limit > 0) return limit;
  throw new RequestError('BODY_INVALID', `${name}: expected a number above 0`);
}
