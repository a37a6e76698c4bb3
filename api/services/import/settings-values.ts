// What the readers of settings have in common: values that are there, and text that is shown. Pure.

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
