// Files of other programs with a JSON object or list in them.
import { remark, type Remark } from '../../../shared-protocol/import-remarks/remark.js';
import type { StateDirectory } from './state-directory.js';

export type JsonObject = Readonly<Record<string, unknown>>;

/** The members of the object; none where there is no such file, or it cannot be read, which is a note. */
export async function readJson(directory: StateDirectory, file: string, notes: Remark[]): Promise<JsonObject> {
  const bytes = await directory.readAside(file, notes);
  if (!bytes || bytes.length === 0) return {};
  const parsed = jsonObject(bytes.toString('utf8'));
  if (!parsed) notes.push(remark('FILE_LEFT', { problem: remark('NO_JSON_OBJECT', { file }) }));
  return parsed ?? {};
}

/** The items of the list, likewise. */
export async function readJsonList(
  directory: StateDirectory,
  file: string,
  notes: Remark[],
  maxBytes: number,
): Promise<readonly unknown[]> {
  const bytes = await directory.readAside(file, notes, maxBytes);
  if (!bytes || bytes.length === 0) return [];
  const parsed = parsedJson(bytes.toString('utf8'));
  if (Array.isArray(parsed)) return parsed;
  notes.push(remark('FILE_LEFT', { problem: remark('NO_JSON_LIST', { file }) }));
  return [];
}

/** null: it is none. */
export function jsonObject(text: string): JsonObject | null {
  const parsed = parsedJson(text);
  const isObject = typeof parsed === 'object' && parsed !== null && !Array.isArray(parsed);
  return isObject ? (parsed as JsonObject) : null;
}

/** undefined: it is no JSON. */
function parsedJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}
