// Values for fields: such as the schema of the document allows, and such as nobody should send.
import fc, { type Arbitrary } from 'fast-check';
import type { JsonSchema } from '../../../api/documentation/components.js';
import { DOCUMENT } from '../../contract/api/runner/document.js';

/** What a field of this name is likely to take, beyond its schema. */
export type Hints = Readonly<Record<string, Arbitrary<unknown>>>;

/** Stands in a JSON text as it is: for numbers that JavaScript has no other way to write. */
class Raw {
  constructor(readonly text: string) {}
  toJSON(): string {
    return `@raw${this.text}@`;
  }
}

export function toJsonText(value: unknown): string {
  return (JSON.stringify(value) ?? 'undefined').replace(/"@raw([^"@]*)@"/g, '$1');
}

const HUGE = 10_000;
const deep = (depth: number): unknown => (depth === 0 ? [] : [deep(depth - 1)]);

/** For any field. */
export const NASTY: Arbitrary<unknown> = fc.oneof(
  fc.constantFrom<unknown>(
    null,
    '',
    ' ',
    '\0',
    'a\0b',
    '\ud800',
    'a\udfff\ud800b',
    '\u202e\u200b\ufeff',
    '../../etc/passwd',
    '__proto__',
    'constructor',
    'toString',
    'true',
    '1',
    'x'.repeat(HUGE),
    '\u{1f4a9}'.repeat(HUGE),
    'a\u0301'.repeat(HUGE),
    '%00%ff',
    '\r\nSet-Cookie: a=b',
    '<script>',
    -1,
    0.1,
    2 ** 31,
    2 ** 53,
    -(2 ** 63),
    [],
    [[]],
    {},
    { toString: 1, length: -1 },
    { constructor: { prototype: null } },
    Array.from({ length: 1_001 }, () => 'x'),
    deep(500),
    ...['-0', '1e308', '-1e308', '1e400', '5e-324', '9007199254740993', '1E+2', '0.0000001'].map(
      (text) => new Raw(text),
    ),
    new Raw('{"__proto__":{"admin":true},"a":1,"a":2}'),
  ),
  fc.string({ unit: 'binary', maxLength: 100 }),
  fc.jsonValue({ maxDepth: 3 }),
  fc.double(),
  fc.maxSafeInteger(),
);

/** As the schema allows, as far as arbitraries can tell. */
export function valid(schema: JsonSchema, hints: Hints, field = ''): Arbitrary<unknown> {
  const { $ref, anyOf, type, enum: options, const: only } = schema as Shape;
  if ($ref !== undefined) return valid(DOCUMENT.components.schemas[$ref.split('/').at(-1) ?? ''] ?? {}, hints, field);
  if (Array.isArray(type)) return fc.oneof(...type.map((one: string) => valid({ ...schema, type: one }, hints, field)));
  if (anyOf) return fc.oneof(...anyOf.map((option) => valid(option, hints, field)));
  if (options) return fc.constantFrom(...options);
  if (only !== undefined) return fc.constant(only);
  const hint = hints[field];
  if (hint && type !== 'object' && type !== 'array') return fc.oneof({ weight: 3, arbitrary: hint }, plain(schema));
  if (type === 'array') return fc.array(valid((schema as Shape).items ?? {}, hints, field), { maxLength: 4 });
  return type === 'object' ? object(schema as Shape, hints) : plain(schema);
}

interface Shape {
  readonly $ref?: string;
  readonly anyOf?: readonly JsonSchema[];
  readonly type?: string | readonly string[];
  readonly enum?: readonly unknown[];
  readonly const?: unknown;
  readonly items?: JsonSchema;
  readonly properties?: Readonly<Record<string, JsonSchema>>;
  readonly required?: readonly string[];
  readonly additionalProperties?: JsonSchema;
  readonly pattern?: string;
  readonly minLength?: number;
  readonly maxLength?: number;
  readonly minimum?: number;
  readonly maximum?: number;
}

function object({ properties = {}, required = [], additionalProperties }: Shape, hints: Hints): Arbitrary<unknown> {
  if (additionalProperties) {
    return fc.dictionary(fc.stringMatching(/^\d{1,3}$/), valid(additionalProperties, hints), { maxKeys: 4 });
  }
  const fields = Object.entries(properties).map(([name, property]) => [name, valid(property, hints, name)] as const);
  return fc.record(Object.fromEntries(fields), { requiredKeys: [...required], noNullPrototype: true });
}

function plain(schema: JsonSchema): Arbitrary<unknown> {
  const { type, pattern, minLength = 0, maxLength = 40, minimum = -10, maximum = 1e6 } = schema as Shape;
  switch (type) {
    case 'string':
      if (pattern !== undefined) return fc.stringMatching(new RegExp(pattern));
      return fc.string({ minLength, maxLength: Math.max(minLength, Math.min(maxLength, 40)) });
    case 'integer':
      return fc.integer({ min: Math.max(minimum, -10), max: Math.min(maximum, 100_000) });
    case 'number':
      return fc.double({ min: minimum, max: maximum, noNaN: true });
    case 'boolean':
      return fc.boolean();
    default:
      return fc.constant(null);
  }
}
