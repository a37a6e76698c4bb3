// Files of other programs with a JSON object in them.
import type { StateDirectory } from './state-directory.js';

export type JsonObject = Readonly<Record<string, unknown>>;

/** The members of the object; none where there is no such file, or it cannot be read, which is a note. */
export async function readJson(directory: StateDirectory, file: string, notes: string[]): Promise<JsonObject> {
  const bytes = await directory.readAside(file, notes);
  if (!bytes || bytes.length === 0) return {};
  const parsed = jsonObject(bytes.toString('utf8'));
  if (!parsed) notes.push(`${file}: holds no JSON object: nothing of it is taken over`);
  return parsed ?? {};
}

/** null: it is none. */
export function jsonObject(text: string): JsonObject | null {
  try {
    const parsed: unknown = JSON.parse(text);
    const isObject = typeof parsed === 'object' && parsed !== null && !Array.isArray(parsed);
    return isObject ? (parsed as JsonObject) : null;
  } catch {
    return null;
  }
}
