// What an answer looks like, whatever it says: its status, its content type, and for JSON which type lies at which path.
// Lines of text, so that two answers are compared as sets.
import type { Answer } from '../api-harness.js';

/** Keys that name a thing of this run are no part of the shape. */
const NAMED: readonly (readonly [pattern: RegExp, by: string])[] = [
  [/^[0-9a-f]{40}$/, '<hash>'],
  [/^(\[[0-9a-f:]+\]|[\d.]+):\d+$/, '<peer>'],
  [/^https?:\/\//, '<url>'],
];

/** `names`: further keys that name a thing. */
export function shapeOf({ status, headers, text }: Answer, names: readonly string[] = []): string[] {
  const type = (headers['content-type'] ?? 'none').toLowerCase().replaceAll(' ', '');
  const head = [`status ${status}`];
  if (text !== '') head.push(`type ${type}`);
  if (!type.startsWith('application/json')) return [...head, text === '' ? 'no body' : 'text'];
  const lines = new Set<string>();
  collect(JSON.parse(text), '', lines, new Set(names));
  return [...head, ...[...lines].sort()];
}

function collect(value: unknown, path: string, lines: Set<string>, names: ReadonlySet<string>): void {
  if (Array.isArray(value)) {
    lines.add(`${path} array`);
    for (const one of value) collect(one, `${path}[]`, lines, names);
  } else if (typeof value === 'object' && value !== null) {
    lines.add(`${path} object`);
    for (const [key, one] of Object.entries(value)) collect(one, `${path}.${nameOf(key, names)}`, lines, names);
  } else lines.add(`${path} ${value === null ? 'null' : typeof value}`);
}

function nameOf(key: string, names: ReadonlySet<string>): string {
  if (names.has(key)) return '<name>';
  return NAMED.find(([pattern]) => pattern.test(key))?.[1] ?? key;
}
