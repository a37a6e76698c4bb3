// port-test: what this machine knows of its own port. No server outside is asked to try it, so of a port that is listened on
// it is not known whether others reach it.
import { RequestError } from '../../../errors.js';
import type { Call, Result } from '../row.js';
import { portOf } from './peers.js';

/** @throws RequestError `TORRENT_REFUSED` where it is not known; AppError `ENGINE_TIMEOUT` */
export async function testPort(call: Call): Promise<Result> {
  const port = await portOf(call);
  if (port === 0) return { 'port-is-open': false };
  throw new RequestError('TORRENT_REFUSED', `port ${port} is listened on; whether others reach it is not tested`);
}
