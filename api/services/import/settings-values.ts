// What the readers of settings have in common: values that are there, text that is shown, and what cannot come. Pure.
import type { Remark } from '../../../shared-protocol/import-remarks/remark.js';
import type { LeftOut } from './foreign-settings.js';

/** The reason of the first condition that holds, which filters cannot say; null: they can say all of the rule. */
export function reasonAmong(conditions: readonly (readonly [holds: boolean, reason: Remark])[]): Remark | null {
  return conditions.find(([holds]) => holds)?.[1] ?? null;
}

/** The settings that are there, of all that cannot come. */
export function leftOutOf(settings: readonly (readonly [holds: boolean, name: Remark, reason: Remark])[]): LeftOut[] {
  return settings.flatMap(([holds, name, reason]) => (holds ? [{ name, reason }] : []));
}

/** Without the members that are undefined: what is absent there stays as it is here. */
export function withoutAbsent<Value extends object>(
  value: Value,
): { [Key in keyof Value]?: Exclude<Value[Key], undefined> } {
  return Object.fromEntries(Object.entries(value).filter(([, each]) => each !== undefined)) as never;
}

const MAX_SHOWN_CHARS = 200;
const MAX_QUOTED_CHARS = 100;

/** Text of a configuration in a sentence. */
export function shortened(value: unknown): string {
  return typeof value === 'string' ? value.slice(0, MAX_SHOWN_CHARS) : '';
}

/** A name in quotes, as it may be of any letters. */
export function quoted(name: string): string {
  return JSON.stringify(name.slice(0, MAX_QUOTED_CHARS));
}
