// What has been typed into a form, by field; what is as it was loaded may be left out. Pure.
import type { Typed } from './codecs.js';

export type Edits<Name extends PropertyKey> = Readonly<Partial<Record<Name, Typed>>>;

/** Returns what is not as it was `then`: typed while the edits of then were being saved. */
export function typedSince<Name extends PropertyKey>(now: Edits<Name>, then: Edits<Name>): Edits<Name> {
  const names = Object.keys(now) as Name[]; // fields of a form are named by texts
  return Object.fromEntries(
    names.filter((name) => now[name] !== then[name]).map((name) => [name, now[name]]),
  ) as Edits<Name>;
}
