// The fields of a form or a query: texts by name, read as what they stand for.
import { RequestError } from '../errors.js';

const BOOLEANS: ReadonlyMap<string, boolean> = new Map([
  ['true', true],
  ['1', true],
  ['false', false],
  ['0', false],
]);

/** Parts of an encoded form; no spec value: no route knows a tenth of them. */
const MAX_FIELDS = 1_000;
/** Names in one field; no spec value: twice as many as there is room for hashes. */
const MAX_LISTED = 50_000;

export class Fields {
  constructor(private readonly values: ReadonlyMap<string, string>) {}

  /** The fields of an encoded form; the last counts where several have one name. @throws RequestError `BODY_INVALID` for too many */
  static parse(encoded: string): Fields {
    if (count(encoded, '&') >= MAX_FIELDS) throw new RequestError('BODY_INVALID', `body: at most ${MAX_FIELDS} fields`);
    return new Fields(new Map(new URLSearchParams(encoded)));
  }

  /** The fields of a query; parts without a name or `=` count for nothing, as qBittorrent has it. */
  static ofQuery(query: string): Fields {
    return Fields.parse(
      query
        .split('&')
        .filter((part) => part.indexOf('=') > 0)
        .join('&'),
    );
  }

  has(name: string): boolean {
    return this.values.has(name);
  }

  /** Undefined where the field is not there. */
  text(name: string): string | undefined {
    return this.values.get(name);
  }

  /** The text may be empty. @throws RequestError `BODY_INVALID` where the field is not there */
  given(name: string): string {
    const value = this.values.get(name);
    if (value === undefined) throw new RequestError('BODY_INVALID', `${name}: required`);
    return value;
  }

  /** @throws RequestError `BODY_INVALID` where it is not there, or empty */
  required(name: string): string {
    const value = this.values.get(name);
    if (!value) throw new RequestError('BODY_INVALID', `${name}: required`);
    return value;
  }

  /** Undefined where the field is not there or empty. @throws RequestError `BODY_INVALID` */
  flag(name: string): boolean | undefined {
    const value = this.values.get(name);
    if (!value) return undefined;
    const flag = BOOLEANS.get(value.toLowerCase());
    if (flag === undefined) throw new RequestError('BODY_INVALID', `${name}: expected true or false`);
    return flag;
  }

  /** @throws RequestError `BODY_INVALID` also where it is not there, or empty */
  requiredFlag(name: string): boolean {
    this.required(name);
    return this.flag(name) ?? false;
  }

  /** Undefined where the field is not there or empty. @throws RequestError `BODY_INVALID` */
  number(name: string): number | undefined {
    const value = this.values.get(name)?.trim();
    if (!value) return undefined;
    const number = Number(value);
    if (!Number.isFinite(number)) throw new RequestError('BODY_INVALID', `${name}: expected a number`);
    return number;
  }

  /** Like {@link number}. @throws RequestError `BODY_INVALID` */
  integer(name: string): number | undefined {
    const number = this.number(name);
    if (number !== undefined && !Number.isSafeInteger(number)) {
      throw new RequestError('BODY_INVALID', `${name}: expected a whole number`);
    }
    return number;
  }

  /** The parts of a text, each once, without blanks around them and without empty ones. @throws RequestError `BODY_INVALID` for too many */
  list(name: string, separator: string): string[] {
    const text = this.values.get(name) ?? '';
    if (count(text, separator) >= MAX_LISTED) throw new RequestError('BODY_INVALID', `${name}: at most ${MAX_LISTED}`);
    const parts = text.split(separator).map((part) => part.trim());
    return [...new Set(parts.filter((part) => part !== ''))];
  }
}

function count(text: string, separator: string): number {
  let found = 0;
  for (let at = text.indexOf(separator); at >= 0; at = text.indexOf(separator, at + 1)) found++;
  return found;
}
