// How a value stands in a form: as the text or the mark that its control shows, and back. What is typed and cannot be a
// value is told at once, in the words of the interface; what only the server can know, it says itself.
import { t } from '../../strings/index.js';

/** The content of a control: a text, or whether it is marked. */
export type Typed = string | boolean;

export type Reading<Value> = { readonly value: Value } | { readonly problem: string };

export interface Codec<Value> {
  show(value: Value): Typed;
  read(typed: Typed): Reading<Value>;
}

export type Codecs<Values> = { readonly [Name in keyof Values]: Codec<Values[Name]> };

const DAY_MIN = 24 * 60;

export const text: Codec<string> = {
  show: (value) => value,
  read: (typed) => ({ value: String(typed) }),
};

/** One on each line; empty lines are none. */
export const lines: Codec<string[]> = {
  show: (values) => values.join('\n'),
  read: (typed) => ({
    value: String(typed)
      .split('\n')
      .map((line) => line.trim())
      .filter((line) => line !== ''),
  }),
};

export const flag: Codec<boolean> = {
  show: (value) => value,
  read: (typed) => ({ value: typed === true }),
};

export function choice<Value extends string>(values: readonly Value[]): Codec<Value> {
  return {
    show: (value) => value,
    read(typed) {
      const value = values.find((known) => known === typed);
      return value === undefined ? { problem: t('settings.form.required') } : { value };
    },
  };
}

export interface NumberRange {
  readonly min?: number;
  readonly max?: number;
  /** @default true */
  readonly isWhole?: boolean;
}

export function number({ min = 0, max = Number.MAX_SAFE_INTEGER, isWhole = true }: NumberRange = {}): Codec<number> {
  return {
    show: String,
    read(typed) {
      const digits = String(typed).trim();
      if (digits === '') return { problem: t('settings.form.required') };
      // A comma is the decimal point of half the world; `Number` takes hexadecimal digits and exponents as well.
      if (!/^-?\d+(?:[.,]\d+)?$/.test(digits)) return { problem: t('settings.form.noNumber') };
      const value = Number(digits.replace(',', '.'));
      if (isWhole && !Number.isInteger(value)) return { problem: t('settings.form.notWhole') };
      if (value < min)
        return { problem: min === 0 ? t('settings.form.negative') : t('settings.form.atLeast', { min: String(min) }) };
      if (value > max) return { problem: t('settings.form.atMost', { max: String(max) }) };
      return { value };
    },
  };
}

/** Empty is null: 0 is a value of its own. */
export function orNothing(codec: Codec<number>): Codec<number | null> {
  return {
    show: (value) => (value === null ? '' : codec.show(value)),
    read: (typed) => (String(typed).trim() === '' ? { value: null } : codec.read(typed)),
  };
}

/** Empty is 0, and 0 is shown so: neither bounds anything. */
export function orUnlimited(codec: Codec<number>): Codec<number> {
  return {
    show: (value) => (value === 0 ? '' : codec.show(value)),
    read: (typed) => (String(typed).trim() === '' ? { value: 0 } : codec.read(typed)),
  };
}

/** Minutes since midnight, as `09:30`. */
export const timeOfDay: Codec<number> = {
  show: (minutes) => clockTime(minutes),
  read(typed) {
    const [, hours, minutes] = /^(\d{1,2}):(\d{2})/.exec(String(typed)) ?? [];
    const value = Number(hours) * 60 + Number(minutes);
    return value >= 0 && value < DAY_MIN ? { value } : { problem: t('settings.form.required') };
  },
};

export function clockTime(minutes: number): string {
  const two = (part: number) => String(part).padStart(2, '0');
  return `${two(Math.floor(minutes / 60) % 24)}:${two(minutes % 60)}`;
}
