// What qBittorrent's WebAPI answers with: texts and JSON. A tool takes 401 and 403 for a reason to sign in anew, so that who
// is signed in is told 409 with a sentence in their place; who was, until what let it in ended, is told 403.
import { answerFor, understood } from '../../errors.js';
import type { BatchOutcome } from '../../../shared-protocol/dto/batch-outcome.js';
import { Reply } from '../../routes/reply.js';

const TEXT = 'text/plain; charset=UTF-8';
const NOT_ALLOWED = 'this account may not do that';

export function text(body: string, status = 200, headers: Readonly<Record<string, string>> = {}): Reply<Buffer> {
  return new Reply(Buffer.from(body), { 'Content-Type': TEXT, ...headers }, undefined, status);
}

export function json(value: unknown): Reply<Buffer> {
  return new Reply(Buffer.from(JSON.stringify(value)), { 'Content-Type': 'application/json' });
}

export const OK = (): Reply<Buffer> => text('Ok.');
export const FAILS = (): Reply<Buffer> => text('Fails.');
/** For changes of which qBittorrent says nothing. */
export const DONE = (): Reply<Buffer> => text('');

/** For what is not done, and why. */
export function conflict(reason: string): Reply<Buffer> {
  return text(reason, 409);
}

/** The answer to a request that failed; `isSignedIn`: to who need not sign in. */
export function refusalOf(error: unknown, isSignedIn: boolean): Reply<Buffer> {
  const { status, body, headers } = answerFor(understood(error));
  const { 'WWW-Authenticate': _challenge, ...rest } = headers;
  if (status === 403 && isSignedIn) return text(NOT_ALLOWED, 409, rest);
  if (status === 401 || status === 403) return text('Forbidden', 403, rest);
  return text(body.error, status, rest);
}

/** The answer to a change of many torrents: it was done where it could be; what could not be is told. */
export function changed(outcomes: readonly BatchOutcome[]): Reply<Buffer> {
  const refused = outcomes.filter((outcome) => !outcome.ok);
  const [first] = refused;
  if (!first) return DONE();
  const reason = first.status === 403 ? 'this account may not do that to it' : first.error;
  const others = refused.length > 1 ? `, and ${refused.length - 1} more` : '';
  const isOurFault = first.status !== undefined && first.status >= 500;
  return text(`not done for ${first.id}: ${reason}${others}`, isOurFault ? first.status : 409);
}
