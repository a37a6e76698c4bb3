// port-test: what is known of the port. No server outside is asked to try it, so of one that is listened on it is not known
// whether others reach it before a peer has come by itself.
import { hasPermission } from '../../../auth/account.js';
import { RequestError } from '../../../errors.js';
import type { Call, Result } from '../row.js';

/** @throws RequestError `TORRENT_REFUSED` where it is not known; AppError of the engine */
export async function testPort({ services, principal }: Call): Promise<Result> {
  const { listeningPort, hasIncoming } = await services.engineHealth.check();
  if (listeningPort === null) return { 'port-is-open': false };
  if (hasIncoming) return { 'port-is-open': true };
  const port = hasPermission(principal.account, 'perm_change_settings') ? `port ${listeningPort}` : 'the port';
  throw new RequestError('TORRENT_REFUSED', `no peer has come to ${port} yet; it is not tested from outside`);
}
