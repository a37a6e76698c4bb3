// Shapes of what is said by a process that may be somebody else's: checks of values, and of what is made of them. Fields that are not
// named are passed over. Pure.
import { isInfoHash } from '../ids.js';

type Fields = Readonly<Record<string, unknown>>;
export type Check = (value: unknown) => boolean;

/** The trackers of a torrent, the longest of the texts, have a quarter of it (shared-protocol/torrent-bounds.ts). */
const MAX_TEXT_CHARS = 65_536;

export const isAnything: Check = () => true;
export const isText: Check = (value) => typeof value === 'string' && value.length <= MAX_TEXT_CHARS;
export const isFlag: Check = (value) => typeof value === 'boolean';
/** One that can be added up with others of its kind. */
export const isNumber: Check = (value) => typeof value === 'number' && Math.abs(value) <= Number.MAX_SAFE_INTEGER;
/** Whatever an account may have set. */
export const isFiniteNumber: Check = (value) => Number.isFinite(value);
export const isWhole: Check = (value) => Number.isSafeInteger(value);
export const isAccount: Check = (value) => isWhole(value) && (value as number) > 0;
export const isId: Check = (value) => typeof value === 'string' && isInfoHash(value);

export const optional =
  (check: Check): Check =>
  (value) =>
    value === undefined || check(value);

export const orNull =
  (check: Check): Check =>
  (value) =>
    value === null || check(value);

export const listOf =
  (check: Check): Check =>
  (value) =>
    Array.isArray(value) && value.every(check);

/** An object with these fields, and others. */
export function fields(checks: Readonly<Record<string, Check>>): Check {
  const entries = Object.entries(checks);
  return (value) => isFields(value) && entries.every(([name, check]) => check(value[name]));
}

export function isFields(value: unknown): value is Fields {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

export const isRateLimits = fields({ downBytesPerSec: isFiniteNumber, upBytesPerSec: isFiniteNumber });
