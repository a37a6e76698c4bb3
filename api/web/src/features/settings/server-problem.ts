// The server names the field it refuses: `<field>: <reason>`. Anything else is about the whole.
import { worded } from '../../net/worded.js';

export interface Problem {
  /** null: none of the form's. */
  readonly field: string | null;
  readonly reason: string;
}

export function problemOf(message: string, fields: readonly string[]): Problem {
  const [, field = '', reason = ''] = /^(\w+): (.+)$/s.exec(message) ?? [];
  return fields.includes(field) ? { field, reason: worded(reason) } : { field: null, reason: worded(message) };
}
