// What is logged of a request to a compatible interface that was refused: never a credential, nor what a body says.
import { messageOf } from '../../shared-protocol/errors.js';
import { RequestError } from '../errors.js';
import type { Log } from '../logging.js';

/** `status`: that of the answer. */
export function logRefusal(
  log: Log,
  name: string,
  request: { readonly method: string; readonly path: string },
  error: unknown,
  status: number,
): void {
  const fields = { interface: name, method: request.method, path: request.path, status };
  const isFault = status >= 500 && !(error instanceof RequestError);
  const reason = messageOf(error);
  if (!isFault) return log.debug('request refused', { ...fields, error: reason });
  log.error('request failed', { ...fields, reason: error instanceof Error ? (error.stack ?? reason) : reason });
}
