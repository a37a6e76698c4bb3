// A request to a compatible interface, before anything of it is read: whether a page of another site sent it, and for
// which account it acts.
import type { Request } from 'express';
import { clientAddress, type ClientAddress } from '../auth/client-address.js';
import { checkOrigin } from '../auth/origin.js';
import type { Principal } from '../auth/authenticate.js';
import { RequestError } from '../errors.js';
import type { CompatibleDeps } from './deps.js';

/** @throws RequestError `ORIGIN_MISMATCH` */
export function clientOf({ policy }: CompatibleDeps, request: Request): ClientAddress {
  const client = clientAddress(request, policy.trustedProxies, policy.tls);
  const origin = checkOrigin(request.headers, client.host);
  // Scripts say nothing of where they come from; browsers always do. Reading counts too: a browser sends Basic by itself.
  const isOfAnotherSite = origin === 'absent' && request.headers['sec-fetch-site'] !== undefined;
  if (origin === 'mismatch' || isOfAnotherSite) throw new RequestError('ORIGIN_MISMATCH');
  return client;
}

/** The caller; null without a credential that is worth something. @throws RequestError `INVALID_CREDENTIALS`, `TOO_MANY_LOGINS` */
export async function principalOf(
  { services, connections }: CompatibleDeps,
  request: Request,
  client: ClientAddress,
): Promise<Principal | null> {
  const principal = await services.toolCredentials.principalOf(request.headers, client.ip);
  if (principal) connections.vouch(request.socket);
  return principal;
}

/** The caller as it is now: what let it in may have ended while its body or its turn was waited for. @throws RequestError `UNAUTHORIZED` */
export function stillAllowed({ services }: Pick<CompatibleDeps, 'services'>, first: Principal): Principal {
  const now = services.toolCredentials.principalNow(first);
  if (!now) throw new RequestError('UNAUTHORIZED');
  return now;
}
