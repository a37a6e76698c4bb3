// What the readers of settings have in common: values that are there, and why others cannot come. Pure.

/** Without the members that are undefined: what is absent there stays as it is here. */
export function withoutAbsent<Value extends object>(
  value: Value,
): { [Key in keyof Value]?: Exclude<Value[Key], undefined> } {
  return Object.fromEntries(Object.entries(value).filter(([, each]) => each !== undefined)) as never;
}

export const REASONS = {
  noneAtAll: 'it is none at all there, which is no limit here',
  sum: 'downloads and seeds are counted apart here',
  noPattern: 'patterns here have * and ?, and neither / nor ranges of characters',
  removed: 'torrents are not paused there when they are reached, but removed',
} as const;

const MAX_SHOWN_CHARS = 200;

/** Text of a configuration in a sentence. */
export function shortened(value: unknown): string {
  return typeof value === 'string' ? value.slice(0, MAX_SHOWN_CHARS) : '';
}
