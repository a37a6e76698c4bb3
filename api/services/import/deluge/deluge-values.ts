// Values in the configuration of Deluge, each checked where it is taken. Pure.
import type { JsonObject } from '../json-file.js';

/** The members of an object; none of what is no object. */
export function membersOf(value: unknown): JsonObject {
  return typeof value === 'object' && value !== null && !Array.isArray(value) ? (value as JsonObject) : {};
}

/** A number above 0. */
export function positive(values: JsonObject, key: string): number | undefined {
  const value = values[key];
  return typeof value === 'number' && Number.isFinite(value) && value > 0 ? value : undefined;
}

/** KiB/s; absent: no limit. */
export function speedIn(values: JsonObject, key: string): number | undefined {
  const value = positive(values, key);
  return value && Math.max(1, Math.floor(value));
}
