// The server names the field it refuses, or an entry of it: `<field>: <reason>`, `<field>.<index>: <reason>`. Anything else is
// about the whole.
import type { ApiError } from '../../net/api-error.js';
import { worded } from '../../net/worded.js';
import { t } from '../../strings/index.js';

export interface Problem {
  /** null: none of the form's. */
  readonly field: string | null;
  readonly reason: string;
}

export function problemOf({ said, reason }: Pick<ApiError, 'said' | 'reason'>, fields: readonly string[]): Problem {
  const [, field = '', index, own = ''] = /^(\w+)(?:\.(\d+))?: (.+)$/s.exec(said) ?? [];
  if (!fields.includes(field)) return { field: null, reason: worded(said, reason) };
  const words = worded(own, reason);
  if (index === undefined) return { field, reason: words };
  return { field, reason: t('settings.entryProblem', { number: Number(index) + 1, reason: words }) };
}
