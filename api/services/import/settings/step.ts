// A step of bringing over settings: what is said of it, judged before anything is changed, and how it is done. A step is done whole
// or not at all.
import { isDeepStrictEqual } from 'node:util';
import type { ImportedSettingDto } from '../../../../shared-protocol/dto/imports.js';
import type { Words } from './value-words.js';

export interface Step {
  readonly said: readonly ImportedSettingDto[];
  /** null: there is nothing to be done. */
  readonly apply: (() => Promise<void>) | null;
}

export function leftOut(name: string, reason: string): Step {
  return { said: [{ name, from: null, to: null, result: 'left_out', reason }], apply: null };
}

/** The same lines, where their step could not be done. */
export function refused(said: readonly ImportedSettingDto[], reason: string): ImportedSettingDto[] {
  return said.map(({ name, from, result, ...rest }) =>
    result === 'same' ? { name, from, result, ...rest } : { name, from, to: null, result: 'left_out', reason },
  );
}

/** Values of a group that are set there, beside those here. `shown`: in words. */
export function comparedValues<Values extends object>(
  here: Values,
  there: Partial<Values>,
  shown: Words<Values>,
): ImportedSettingDto[] {
  return (Object.keys(there) as (keyof Values)[]).flatMap((key) => {
    const words = shown[key];
    if (!words) return [];
    const [from, to] = [words[1](here[key]), words[1](there[key]!)];
    const result = isDeepStrictEqual(here[key], there[key]) ? 'same' : 'changed';
    return [{ name: words[0], from, to, result, reason: null } satisfies ImportedSettingDto];
  });
}
