// Who may pass to a route, in the order of semantics §1: origin mismatch 403, credentials 401, missing origin 403, role,
// permission or access 403. Body and existence are checked after this, so that neither tells a stranger anything.
import type { IncomingHttpHeaders } from 'node:http';
import { authenticate, hasBearer, type Principal } from './auth/authenticate.js';
import type { Cidr, ClientAddress } from './auth/client-address.js';
import { checkOrigin, isStateChanging, type HostPolicy } from './auth/origin.js';
import { RequestError } from './errors.js';
import type { Services } from './services.js';
import { hasPermission, type Permission } from './services/account-records.js';
import type { Account } from './services/accounts.js';
import { ACCESS_RANK, type Access } from './services/library.js';
import { parseTorrentId } from './torrent-id.js';

/** `login` is public under the login limit; `torrent:` asks for access to the torrent the path names. */
export type Gate = 'public' | 'login' | 'account' | 'admin' | Permission | `torrent:${Access}`;

/** From the command line. */
export interface HttpPolicy {
  readonly trustedProxies: readonly Cidr[];
  readonly hosts: HostPolicy;
  readonly allowMissingOrigin: boolean;
  /** The listener speaks HTTPS. */
  readonly tls: boolean;
}

export interface Arrival {
  readonly method: string;
  readonly headers: IncomingHttpHeaders;
  readonly client: ClientAddress;
  /** `{id}` of the path. */
  readonly id: string | undefined;
}

/** Whom the request acts for; null only on public routes. @throws RequestError */
export function admit(arrival: Arrival, gate: Gate, services: Services, policy: HttpPolicy): Principal | null {
  const { method, headers, client } = arrival;
  const isGuarded = isStateChanging(method) && !hasBearer(headers);
  const origin = isGuarded ? checkOrigin(headers, client.host) : 'matches';
  if (origin === 'mismatch') throw new RequestError('ORIGIN_MISMATCH');
  const principal = authenticate(headers, services);
  if (gate === 'public') return principal;
  if (gate === 'login') {
    if (!services.loginLimit.take(client.ip)) throw new RequestError('TOO_MANY_LOGINS');
    return principal;
  }
  if (!principal) throw new RequestError('UNAUTHORIZED');
  if (origin === 'absent' && principal.credential.kind === 'cookie' && !policy.allowMissingOrigin) {
    throw new RequestError('ORIGIN_MISSING');
  }
  if (!mayPass(principal.account, gate, arrival.id, services)) throw new RequestError('FORBIDDEN');
  return principal;
}

type GuardedGate = Exclude<Gate, 'public' | 'login'>;

function mayPass(account: Account, gate: GuardedGate, id: string | undefined, services: Services): boolean {
  switch (gate) {
    case 'account':
      return true;
    case 'admin':
      return account.role === 'admin';
    case 'torrent:owner':
      return hasAccess(account, 'owner', id, services);
    case 'torrent:editor':
      return hasAccess(account, 'editor', id, services);
    case 'torrent:viewer':
      return hasAccess(account, 'viewer', id, services);
    default:
      return hasPermission(account, gate);
  }
}

/** Others than administrators learn nothing about torrents they cannot see, not even that there is none. */
function hasAccess(account: Account, needed: Access, id: string | undefined, { library }: Services): boolean {
  if (account.role === 'admin') return true;
  const parsed = parseTorrentId(id ?? '');
  const facts = parsed.kind === 'id' ? library.find(parsed.id) : undefined;
  const access = facts ? library.accessOf(account, facts) : null;
  return access !== null && ACCESS_RANK[access] >= ACCESS_RANK[needed];
}
