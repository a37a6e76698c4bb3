// The server names the field that it refuses: `url: not an http or https URL`. Pure.
import { worded } from '../../net/worded.js';

/** An error of one field, or of the whole. */
export interface FieldError<Name extends string> {
  readonly field: Name | null;
  readonly reason: string;
}

export function fieldError<Name extends string>(message: string, fields: readonly Name[]): FieldError<Name> {
  const field = fields.find((name) => message.startsWith(`${name}: `)) ?? null;
  return { field, reason: worded(message) };
}
