// What a route answers with where a value alone does not say it.
import type { Headers } from '../errors.js';

/** An answer with headers of its own; bytes go out as they are. */
export class Reply<Out> {
  constructor(
    readonly body: Out,
    readonly headers: Headers = {},
    /** Called once the answer is out, or cannot go out any more. */
    readonly afterwards: () => void = () => undefined,
    readonly status = 200,
  ) {}
}
