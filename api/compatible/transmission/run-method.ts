// One method of a request, for an account as it is now: rights may be taken away while those before it are run.
import { RequestError } from '../../errors.js';
import type { AccountContext } from '../../routes/route.js';
import { mayPass } from '../../routes/authorize.js';
import type { Log } from '../../logging.js';
import { stillAllowed } from '../arrival.js';
import { logRefusal } from '../log-refusal.js';
import { Arguments } from './arguments.js';
import type { Call, Result, Row } from './row.js';

/** A request whose methods are to be run. */
export interface Caller {
  readonly context: AccountContext;
  readonly files: readonly Uint8Array[];
  readonly log: Log;
}

/** @throws RequestError, AppError */
export async function runMethod(
  { context, files }: Caller,
  row: Row,
  args: unknown,
  keyOf: Call['keyOf'],
): Promise<Result> {
  const principal = stillAllowed(context, context.principal);
  if (!mayPass(principal.account, row.gate)) throw new RequestError('FORBIDDEN');
  return row.run({ ...context, principal, args: Arguments.of(args), files, keyOf });
}

export function logFailure({ log }: Caller, method: string, error: unknown, status: number): void {
  logRefusal(log, 'transmission', { method: 'POST', path: method }, error, status);
}
