// What a route answers with where a value alone does not say it.
import type { Headers } from '../errors.js';
import type { RemoteAnswer } from '../services/remotes/ask-remote.js';

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

/** The answer of a remote, a refusal with its status. */
export function replyOf(answer: RemoteAnswer<unknown>): Reply<unknown> {
  if (answer.kind === 'value')
    return new Reply(answer.value instanceof Uint8Array ? asBuffer(answer.value) : answer.value);
  return new Reply<unknown>(answer.said, {}, undefined, answer.status);
}

/** The same memory. */
function asBuffer({ buffer, byteOffset, byteLength }: Uint8Array): Buffer {
  return Buffer.from(buffer, byteOffset, byteLength);
}
