// Who may pass to a route, in the order of docs/semantics.md section 1: origin mismatch 403, credentials 401, missing
// origin 403, role, permission or access 403. Body and existence are checked after this, so that neither tells a
// stranger anything.
import type { IncomingHttpHeaders } from 'node:http';
import type { Access } from '../../shared-protocol/dto/torrents.js';
import { authenticate, hasBearer, type Principal } from '../auth/authenticate.js';
import type { ClientAddress, Incoming } from '../auth/client-address.js';
import type { HttpPolicy } from '../auth/http-policy.js';
import { checkOrigin, isStateChanging } from '../auth/origin.js';
import { notFound, RequestError } from '../errors.js';
import { hasPermission, type Account } from '../auth/account.js';
import { includesAccess, type ListedTorrent } from '../services/library/shares.js';
import type { AccountGate, Gate } from './gate.js';
import type { Services } from './services.js';
import { parseTorrentId } from '../services/library/torrent-id.js';

export interface Arrival {
  readonly method: string;
  readonly headers: IncomingHttpHeaders;
  readonly client: ClientAddress;
  readonly socket: Incoming['socket'];
}

/**
 * The account that the request acts for; null only on public routes. Access to a torrent is another matter.
 * @throws RequestError
 */
export function admit(arrival: Arrival, gate: Gate, services: Services, policy: HttpPolicy): Principal | null {
  const { method, headers, client } = arrival;
  const isGuarded = isStateChanging(method) && !hasBearer(headers);
  const origin = isGuarded ? checkOrigin(headers, client.host) : 'matches';
  if (origin === 'mismatch') throw new RequestError('ORIGIN_MISMATCH');
  const known = authenticate(headers, services);
  const principal = known && services.proxiedUsers.lets(arrival, known) ? known : null;
  if (gate.kind === 'login' && !services.loginLimit.take(client.ip)) throw new RequestError('TOO_MANY_LOGINS');
  if (!('needs' in gate)) return principal;
  if (!principal) throw new RequestError('UNAUTHORIZED');
  if (origin === 'absent' && principal.credential.kind === 'cookie' && !policy.allowMissingOrigin) {
    throw new RequestError('ORIGIN_MISSING');
  }
  if (!mayPass(principal.account, gate.needs)) throw new RequestError('FORBIDDEN');
  return principal;
}

/** Whether the account's role and permissions are enough; access to a torrent is another matter. */
export function mayPass(account: Account, needs: AccountGate): boolean {
  if (needs === 'account') return true;
  return needs === 'admin' ? account.role === 'admin' : hasPermission(account, needs);
}

/**
 * Others than administrators learn nothing about torrents they cannot see, not even that there is none. A request that
 * names none is for the check of its input.
 * @throws RequestError `FORBIDDEN`
 */
export function admitToTorrent(account: Account, named: string | undefined, needed: Access, services: Services): void {
  if (account.role === 'admin' || named === undefined) return;
  const { library } = services;
  const parsed = parseTorrentId(named);
  const facts = parsed.kind === 'id' ? library.find(parsed.id) : undefined;
  const access = facts ? library.accessOf(account, facts) : null;
  if (access === null || !includesAccess(access, needed)) throw new RequestError('FORBIDDEN');
}

/** @throws RequestError `BODY_INVALID` for what is no info hash, `NOT_FOUND` */
export function torrentNamed(named: string, field: string, { library }: Pick<Services, 'library'>): ListedTorrent {
  const parsed = parseTorrentId(named);
  if (parsed.kind === 'malformed') {
    throw new RequestError('BODY_INVALID', `${field}: expected an info hash of 40 or 64 hexadecimal digits`);
  }
  const facts = parsed.kind === 'id' ? library.find(parsed.id) : undefined;
  if (!facts) throw notFound('torrent');
  return facts;
}
