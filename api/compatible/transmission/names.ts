// The names of Transmission's fields: kebab-case and camelCase up to version 4.0, snake_case in its JSON-RPC. Within this
// folder arguments are asked for in snake_case, and answers are made in the older form.

const known = new Map<string, string>();
/** Names of our own are few and short; of those that accounts make up not many are remembered, and long ones are none. */
const MAX_KNOWN = 2_000;
const MAX_NAME_CHARS = 64;

/** `download-dir`, `hashString` and `isUTP` as `download_dir`, `hash_string` and `is_utp`; a long name as it is. */
export function toSnakeCase(name: string): string {
  if (name.length > MAX_NAME_CHARS) return name;
  const found = known.get(name);
  if (found !== undefined) return found;
  const snake = name
    .replaceAll('-', '_')
    .replace(/([a-z\d])([A-Z])/g, '$1_$2')
    .toLowerCase();
  if (known.size < MAX_KNOWN) known.set(name, snake);
  return snake;
}

/** The same value with all keys of its objects in snake_case. */
export function inSnakeCase(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(inSnakeCase);
  if (typeof value !== 'object' || value === null) return value;
  return Object.fromEntries(Object.entries(value).map(([key, inner]) => [toSnakeCase(key), inSnakeCase(inner)]));
}
