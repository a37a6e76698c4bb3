// A step of bringing over settings: what is said of it, judged before anything is changed, and how it is done. A step is done whole
// or not at all.
import { isDeepStrictEqual } from 'node:util';
import type { z } from 'zod';
import { remark, type Remark } from '../../../../shared-protocol/import-remarks/remark.js';
import type { ImportedSetting } from '../imported.js';
import type { Words } from './value-words.js';

export interface Step {
  readonly said: readonly ImportedSetting[];
  /** null: there is nothing to be done. */
  readonly apply: (() => Promise<void>) | null;
}

export function leftOut(name: Remark, reason: Remark): Step {
  return { said: [{ name, from: null, to: null, result: 'left_out', reason }], apply: null };
}

/** The reason of a value that cannot be one here, in the words of who checked it. */
export function refusedValue({ issues }: z.ZodError): Remark {
  return remark('AS_REFUSED', { text: issues[0]?.message ?? '' });
}

/** The same lines, where their step could not be done. */
export function refused(said: readonly ImportedSetting[], reason: Remark): ImportedSetting[] {
  return said.map(({ name, from, result, ...rest }) =>
    result === 'same' ? { name, from, result, ...rest } : { name, from, to: null, result: 'left_out', reason },
  );
}

/** Values of a group that are set there, beside those here. `shown`: in words. */
export function comparedValues<Values extends object>(
  here: Values,
  there: Partial<Values>,
  shown: Words<Values>,
): ImportedSetting[] {
  return (Object.keys(there) as (keyof Values)[]).flatMap((key) => {
    const words = shown[key];
    if (!words) return [];
    const [from, to] = [words[1](here[key]), words[1](there[key]!)];
    const result = isDeepStrictEqual(here[key], there[key]) ? 'same' : 'changed';
    return [{ name: words[0], from, to, result, reason: null } satisfies ImportedSetting];
  });
}
