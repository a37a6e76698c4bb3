// What is kept of a decoded record for long. A decoded string is a slice of the whole record's text and keeps all of it
// in memory, and each decoded object has a hidden class of its own, by which every access to it is slow.

/** A copy of plain data (no bytes in it) that shares nothing with how it was decoded. */
export function detached<Value>(value: Value): Value {
  if (typeof value === 'string') return Buffer.from(value).toString() as Value;
  if (typeof value !== 'object' || value === null) return value;
  if (Array.isArray(value)) return value.map((item: unknown) => detached(item)) as Value;
  // Property by property: objects with the same fields come to be of one hidden class.
  const copy: Record<string, unknown> = {};
  for (const [key, field] of Object.entries(value)) copy[key] = detached(field);
  return copy as Value;
}
