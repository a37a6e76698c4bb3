// What Transmission's RPC says of what could not be done: a sentence as the result of the method, with status 200, to who is
// signed in; statuses are for who is not, and for bodies that could not be read.
import type { BatchOutcome } from '../../../shared-protocol/dto/batch-outcome.js';
import { answerFor, RequestError, understood } from '../../errors.js';
import { Reply } from '../../routes/reply.js';
import { StreamedBody } from '../../routes/streamed-body.js';
import type { JsonText } from './json-text.js';

const NOT_ALLOWED = 'this account may not do that';
const CHALLENGE = { 'WWW-Authenticate': 'Basic realm="Transmission"' };
/** Sent in one piece. */
const SHORT_BYTES = 64 * 1024;

/** Refuses a method with arguments of an answer beside the sentence. */
export class RefusedWith extends RequestError {
  constructor(
    sentence: string,
    readonly args: Readonly<Record<string, unknown>>,
  ) {
    super('TORRENT_REFUSED', sentence);
  }
}

/** The sentence for a method that failed. */
export function sentenceOf(error: unknown): string {
  const { status, body } = answerFor(error);
  return status === 401 || status === 403 ? NOT_ALLOWED : body.error;
}

/** The answer to a request of which no method was run. */
export function refusalOf(error: unknown): Reply<Buffer> {
  const { status, body, headers } = answerFor(understood(error));
  const { 'WWW-Authenticate': _bearer, ...rest } = headers;
  return text(body.error, status, { ...rest, ...(status === 401 ? CHALLENGE : {}) });
}

export function text(body: string, status: number, headers: Readonly<Record<string, string>> = {}): Reply<Buffer> {
  return new Reply(
    Buffer.from(`${body}\n`),
    { 'Content-Type': 'text/plain; charset=UTF-8', ...headers },
    undefined,
    status,
  );
}

export function json(body: JsonText): Reply<Buffer | StreamedBody> {
  const isShort = body.length <= SHORT_BYTES;
  return new Reply(isShort ? Buffer.concat(body.parts) : new StreamedBody(body.parts), {
    'Content-Type': 'application/json; charset=UTF-8',
  });
}

/**
 * Nothing where all was done, or the torrents are not there any more.
 * @throws RequestError `TORRENT_REFUSED` that says what was not done, and why
 */
export function assertDone(outcomes: readonly BatchOutcome[]): void {
  const [first, ...others] = outcomes.filter(({ ok, status }) => !ok && status !== 404);
  if (!first) return;
  const reason = first.status === 403 ? 'this account may look at it, not change it' : (first.error ?? '');
  if (outcomes.length === 1) throw new RequestError('TORRENT_REFUSED', reason);
  const more = others.length > 0 ? `, and ${others.length} more` : '';
  throw new RequestError('TORRENT_REFUSED', `not done for ${first.id}: ${reason}${more}`);
}
