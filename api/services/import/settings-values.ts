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
  removed: 'torrents are not paused there when they are reached, but removed',
} as const;
