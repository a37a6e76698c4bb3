// Whether an answer has a fault in one of its long lists, or long records. A schema tells of every fault that there is: of millions, what
// is told of them takes far more memory than the answer, and seconds. Here the first one is enough. Pure.
import { z } from 'zod';

/** Items of which a schema may tell of each. */
const FEW_ITEMS = 1_000;

/** True only where the schema refuses the value; what is not about long lists is left to the schema. */
export function hasFaultInLongList(schema: unknown, value: unknown): boolean {
  if (typeof value !== 'object' || value === null) return false;
  if (isWrapped(schema)) return hasFaultInLongList(schema.unwrap(), value);
  if (schema instanceof z.ZodUnion) return schema.options.every((option) => isNotOf(option, value));
  if (schema instanceof z.ZodArray) return Array.isArray(value) && hasFaultAmong(schema.element, value);
  if (Array.isArray(value)) return false;
  if (schema instanceof z.ZodRecord) return hasFaultAmong(schema.valueType, Object.values(value));
  if (!(schema instanceof z.ZodObject)) return false;
  const fields = value as Readonly<Record<string, unknown>>;
  return Object.entries(schema.shape).some(([name, field]) => hasFaultInLongList(field, fields[name]));
}

function hasFaultAmong(schema: unknown, items: readonly unknown[]): boolean {
  if (!(schema instanceof z.ZodType)) return false;
  const isLong = items.length > FEW_ITEMS;
  return items.some((item) => hasFaultInLongList(schema, item) || (isLong && !schema.safeParse(item).success));
}

/** Whether a value is none of one of several kinds: of another kind altogether, or with a fault. */
function isNotOf(schema: unknown, value: object): boolean {
  const isOfKind = Array.isArray(value) ? schema instanceof z.ZodArray : schema instanceof z.ZodObject;
  if (isOfKind || isWrapped(schema) || schema instanceof z.ZodRecord || schema instanceof z.ZodUnion)
    return hasFaultInLongList(schema, value);
  return schema instanceof z.ZodType && !schema.safeParse(value).success;
}

function isWrapped(schema: unknown): schema is z.ZodOptional | z.ZodNullable | z.ZodDefault {
  return schema instanceof z.ZodOptional || schema instanceof z.ZodNullable || schema instanceof z.ZodDefault;
}
