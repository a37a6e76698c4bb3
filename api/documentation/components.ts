// Zod schemas as JSON Schema (2020-12, which OpenAPI 3.1 takes as it is). A schema with an id becomes a component and is
// referred to; what clients send is described more loosely than what they are sent, so it has components of its own.
import { z } from 'zod';

/** A schema or a piece of one, as it stands in the document. */
export type JsonSchema = Readonly<Record<string, unknown>>;

/** `request`: what a client sends; unknown fields are ignored. `response`: what it is sent; there are no others. */
export type Direction = 'request' | 'response';

const COMPONENTS = '#/components/schemas/';
const REQUEST_SUFFIX = 'Body';

/** Collects the components while the rest of the document is made. */
export class Components {
  readonly #schemas = new Map<string, JsonSchema>();

  /** The schema, or a reference to it when it has an id. */
  refer(schema: z.ZodType, direction: Direction): JsonSchema {
    const converted = z.toJSONSchema(schema, {
      target: 'draft-2020-12',
      io: direction === 'request' ? 'input' : 'output',
    });
    const { $defs = {}, ...root } = converted;
    // Of the document, not of each schema.
    delete root.$schema;
    for (const [id, definition] of Object.entries($defs)) {
      this.#schemas.set(nameOf(id, direction), withReferences(definition, direction) as JsonSchema);
    }
    return withReferences(root, direction) as JsonSchema;
  }

  /** By name, in alphabetical order. */
  get all(): Readonly<Record<string, JsonSchema>> {
    return Object.fromEntries([...this.#schemas].sort(([a], [b]) => (a < b ? -1 : 1)));
  }
}

/** zod refers to `#/$defs/<id>`. */
function withReferences(value: unknown, direction: Direction): unknown {
  if (Array.isArray(value)) return value.map((item) => withReferences(item, direction));
  if (typeof value !== 'object' || value === null) return value;
  const entries = Object.entries(value).map(([key, inner]) => {
    const isReference = key === '$ref' && typeof inner === 'string';
    return [
      key,
      isReference ? COMPONENTS + nameOf(inner.slice('#/$defs/'.length), direction) : withReferences(inner, direction),
    ];
  });
  return Object.fromEntries(entries);
}

function nameOf(id: string, direction: Direction): string {
  return direction === 'request' ? id + REQUEST_SUFFIX : id;
}
