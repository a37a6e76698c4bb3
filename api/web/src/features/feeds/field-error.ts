// The server names the field that it refuses: `url: not an http or https URL`. Pure.
import type { ApiError } from '../../net/api-error.js';

/** An error of one field, or of the whole. */
export interface FieldError<Name extends string> {
  readonly field: Name | null;
  readonly reason: string;
}

export function fieldError<Name extends string>(
  { said, message }: Pick<ApiError, 'said' | 'message'>,
  fields: readonly Name[],
): FieldError<Name> {
  return { field: fields.find((name) => said.startsWith(`${name}: `)) ?? null, reason: message };
}
