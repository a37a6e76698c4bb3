// Reads the numbers that limits are typed as. Pure.

/** `limit`: null for an empty field, where that is allowed. */
export type Typed =
  { readonly kind: 'limit'; readonly limit: number | null } | { readonly kind: 'notANumber' | 'notWhole' };

/** A whole number of 0 or more, or nothing. */
export function readWhole(text: string): Typed {
  const trimmed = text.trim();
  if (trimmed === '') return { kind: 'limit', limit: null };
  return /^\d{1,12}$/.test(trimmed) ? { kind: 'limit', limit: Number(trimmed) } : { kind: 'notWhole' };
}

/** With a point or, as many write it, a comma. */
export function readRatio(text: string): Typed {
  const trimmed = text.trim().replace(',', '.');
  if (trimmed === '') return { kind: 'limit', limit: null };
  return /^\d{1,6}(\.\d{1,6})?$/.test(trimmed) ? { kind: 'limit', limit: Number(trimmed) } : { kind: 'notANumber' };
}
