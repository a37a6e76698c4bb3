// The server names the field it refuses, or an entry of it: `<field>: <reason>`, `<field>.<index>: <reason>`. Anything else is
// about the whole.
import type { ApiError } from '../../net/api-error.js';
import { worded } from '../../net/worded.js';

export interface Problem {
  /** null: none of the form's. */
  readonly field: string | null;
  readonly reason: string;
}

export function problemOf({ said, reason }: Pick<ApiError, 'said' | 'reason'>, fields: readonly string[]): Problem {
  const [, field = '', own = ''] = /^(\w+)(?:\.\d+)?: (.+)$/s.exec(said) ?? [];
  return fields.includes(field)
    ? { field, reason: worded(own, reason) }
    : { field: null, reason: worded(said, reason) };
}
