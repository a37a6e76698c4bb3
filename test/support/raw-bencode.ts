// Bencode as it must not be: keys in the order given, twice if given twice, integers as written. For tests of what
// the npm encoder, which sorts and rounds, cannot write.

export type RawBencode =
  | string
  | number
  | Uint8Array
  | readonly RawBencode[]
  /** Written as it is. */
  | { readonly verbatim: string }
  | { readonly pairs: readonly (readonly [key: string, value: RawBencode])[] };

/** Text becomes UTF-8. */
export function rawBencode(value: RawBencode): Buffer {
  if (typeof value === 'number') return Buffer.from(`i${value}e`);
  if (typeof value === 'string') return string(Buffer.from(value));
  if (value instanceof Uint8Array) return string(value);
  if ('verbatim' in value) return Buffer.from(value.verbatim, 'latin1');
  if ('pairs' in value) {
    const parts = value.pairs.flatMap(([key, item]) => [rawBencode(key), rawBencode(item)]);
    return Buffer.concat([Buffer.from('d'), ...parts, Buffer.from('e')]);
  }
  return Buffer.concat([Buffer.from('l'), ...value.map(rawBencode), Buffer.from('e')]);
}

function string(bytes: Uint8Array): Buffer {
  return Buffer.concat([Buffer.from(`${bytes.length}:`), bytes]);
}
