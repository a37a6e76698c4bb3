// What a client is told when an update fails: why, and no path of this machine.
import { RequestError } from '../../errors.js';

export function updateFailed(reason: string): RequestError {
  return new RequestError('UPDATE_FAILED', reason);
}

/** The same failure, said of `what`; `UPDATE_FAILED` whatever it was. */
export function asUpdateFailure(what: string, thrown: unknown): RequestError {
  if (thrown instanceof RequestError) {
    return thrown.code === 'UPDATE_FAILED' ? thrown : updateFailed(`${what}: ${thrown.message}`);
  }
  const code = thrown instanceof Error && 'code' in thrown ? String(thrown.code) : 'failed';
  return updateFailed(`${what}: ${code}`);
}
