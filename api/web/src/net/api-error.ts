// The failure of a request to the API, in the words of the page. Pure.
import type { ToldReason } from './reason-text.js';
import { worded } from './worded.js';

export class ApiError extends Error {
  constructor(
    /** 0: no answer. */
    readonly status: number,
    /** The words of the server: `<field>: <reason>`. */
    readonly said: string,
    /** The reason as programs are told it. */
    readonly reason: ToldReason = {},
    /** From `Retry-After`; null when there is none. */
    readonly retryAfterS: number | null = null,
  ) {
    super(worded(said, reason));
  }
}
