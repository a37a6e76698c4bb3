// What one browser remembers for its user: layout, not data. A browser that stores nothing works all the same.
import { createEffect, createSignal, type Accessor } from 'solid-js';

const PREFIX = 'swarmd.';

/** A signal that comes back as it was. `isValid`: what is stored may be of an older page. */
export function createPreference<Value>(
  name: string,
  initial: Value,
  isValid: (stored: unknown) => stored is Value,
): readonly [Accessor<Value>, (value: Value) => void] {
  const [value, setValue] = createSignal<Value>(readPreference(name, isValid) ?? initial);
  createEffect(() => writePreference(name, value()));
  return [value, (next) => void setValue(() => next)];
}

/** The value that is stored; null for none, or one that is not valid. */
export function readPreference<Value>(name: string, isValid: (stored: unknown) => stored is Value): Value | null {
  try {
    const stored: unknown = JSON.parse(localStorage.getItem(PREFIX + name) ?? 'null');
    return isValid(stored) ? stored : null;
  } catch {
    return null;
  }
}

export function writePreference(name: string, value: unknown): void {
  try {
    localStorage.setItem(PREFIX + name, JSON.stringify(value));
  } catch {
    // Private windows may refuse.
  }
}

export const isOneOf =
  <Value extends string>(values: readonly Value[]) =>
  (stored: unknown): stored is Value =>
    values.some((value) => value === stored);
export const isBoolean = (stored: unknown): stored is boolean => typeof stored === 'boolean';
export const isFiniteNumber = (stored: unknown): stored is number => Number.isFinite(stored);
