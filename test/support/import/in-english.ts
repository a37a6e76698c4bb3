// What readers of other programs' states say, with each remark in it as its English sentence.
import { isRemark, textOf, type Remark } from '../../../shared-protocol/import-remarks/remark.js';

type InEnglish<Value> = Value extends Remark
  ? string
  : Value extends readonly (infer Item)[]
    ? InEnglish<Item>[]
    : Value extends object
      ? { readonly [Key in keyof Value]: InEnglish<Value[Key]> }
      : Value;

export function inEnglish<Value>(value: Value): InEnglish<Value> {
  return said(value) as InEnglish<Value>;
}

function said(value: unknown): unknown {
  if (isRemark(value)) return textOf(value);
  if (Array.isArray(value)) return value.map(said);
  if (typeof value !== 'object' || value === null || Object.getPrototypeOf(value) !== Object.prototype) return value;
  return Object.fromEntries(Object.entries(value).map(([key, each]) => [key, said(each)]));
}
