// Lists in a body that are longer than any route takes. A schema looks at each item before it counts them: a megabyte of
// items, refused one after the other, takes long enough for everybody to feel it.
import { RequestError } from '../errors.js';

/** Items of a list: as many as `POST /api/torrents/batch` takes torrents, and no route takes more of anything. */
const MAX_ITEMS = 20_000;
/** Levels of the body that are looked at: no schema has lists further inside. */
const MAX_DEPTH = 6;

/** @throws RequestError `BODY_INVALID` naming the first that is too long */
export function refuseLongLists(body: unknown): void {
  const field = firstTooLong(body, 0);
  if (field) throw new RequestError('BODY_INVALID', `${field.join('.') || 'body'}: at most ${MAX_ITEMS} items`);
}

/** The names that lead to it; null: there is none. */
function firstTooLong(value: unknown, depth: number): string[] | null {
  if (typeof value !== 'object' || value === null || depth === MAX_DEPTH) return null;
  if (Array.isArray(value) && value.length > MAX_ITEMS) return [];
  for (const key in value) {
    const found = firstTooLong((value as Readonly<Record<string, unknown>>)[key], depth + 1); // an object of JSON
    if (found) return [key, ...found];
  }
  return null;
}
