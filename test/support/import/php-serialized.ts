// Values as PHP's `serialize` writes them, for settings of ruTorrent.

export type PhpInput = null | boolean | number | string | readonly PhpInput[] | { readonly [key: string]: PhpInput };

/** `className`: of the outermost value, which is an object then; those within are arrays. */
export function phpSerialized(value: PhpInput, className?: string): string {
  if (value === null) return 'N;';
  if (typeof value === 'boolean') return `b:${Number(value)};`;
  if (typeof value === 'number') return Number.isInteger(value) ? `i:${value};` : `d:${value};`;
  if (typeof value === 'string') return `s:${Buffer.byteLength(value)}:"${value}";`;
  const keyOf = (key: string) => (className === undefined && /^\d+$/.test(key) ? Number(key) : key);
  const members = Object.entries(value).map(([key, each]) => phpSerialized(keyOf(key)) + phpSerialized(each));
  const kind = className === undefined ? 'a' : `O:${className.length}:"${className}"`;
  return `${kind}:${members.length}:{${members.join('')}}`;
}
