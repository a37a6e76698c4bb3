// The arguments of a method: values by name, in whichever of its two spellings a name comes (names.ts), read as what they
// stand for. A value that is null is as good as absent.
import { RequestError } from '../../errors.js';
import { toSnakeCase } from './names.js';

/** A text that is longer is none of what the methods take but magnets and lists of trackers. */
const MAX_TEXT_CHARS = 512 * 1024;

const FLAGS: ReadonlyMap<unknown, boolean> = new Map<unknown, boolean>([
  [true, true],
  [false, false],
  [1, true],
  [0, false],
  ['true', true],
  ['false', false],
]);

export class Arguments {
  private constructor(private readonly values: ReadonlyMap<string, unknown>) {}

  /** None, of what is no object: some tools send a number there. */
  static of(value: unknown): Arguments {
    const isObject = typeof value === 'object' && value !== null && !Array.isArray(value);
    const entries = isObject ? Object.entries(value) : [];
    return new Arguments(new Map(entries.map(([name, inner]) => [toSnakeCase(name), inner])));
  }

  /** In snake_case. */
  get names(): string[] {
    return [...this.values.keys()];
  }

  /** The argument as it came. */
  value(name: string): unknown {
    return this.values.get(name) ?? undefined;
  }

  has(name: string): boolean {
    return this.value(name) !== undefined;
  }

  /** @throws RequestError `BODY_INVALID` */
  text(name: string): string | undefined {
    return this.#read(name, isText, 'a text');
  }

  /** 0, 1 and their texts as well, which some tools send. @throws RequestError `BODY_INVALID` */
  flag(name: string): boolean | undefined {
    const value = this.#read(name, isFlag, 'true or false');
    return value === undefined ? undefined : FLAGS.get(value);
  }

  /** @throws RequestError `BODY_INVALID` */
  number(name: string): number | undefined {
    return this.#read(name, isNumber, 'a number');
  }

  /** @throws RequestError `BODY_INVALID` */
  integer(name: string): number | undefined {
    return this.#read(name, isInteger, 'a whole number');
  }

  /** @throws RequestError `BODY_INVALID` */
  texts(name: string): string[] | undefined {
    return this.#read(name, isListOf(isText), 'a list of texts');
  }

  /** @throws RequestError `BODY_INVALID` */
  integers(name: string): number[] | undefined {
    return this.#read(name, isListOf(isInteger), 'a list of whole numbers');
  }

  #read<Value>(name: string, isValue: (value: unknown) => value is Value, expected: string): Value | undefined {
    const value = this.value(name);
    if (value === undefined) return undefined;
    if (!isValue(value)) throw new RequestError('BODY_INVALID', `${name}: expected ${expected}`);
    return value;
  }
}

function isText(value: unknown): value is string {
  return typeof value === 'string' && value.length <= MAX_TEXT_CHARS;
}

function isFlag(value: unknown): value is boolean | number | string {
  return FLAGS.has(value);
}

function isNumber(value: unknown): value is number {
  return typeof value === 'number' && Number.isFinite(value);
}

function isInteger(value: unknown): value is number {
  return Number.isSafeInteger(value);
}

function isListOf<Value>(isValue: (value: unknown) => value is Value) {
  return (list: unknown): list is Value[] => Array.isArray(list) && list.every(isValue);
}
