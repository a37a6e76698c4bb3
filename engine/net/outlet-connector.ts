// Connects for undici by the way out that there is. Where nothing is bound and no proxy is in between, undici connects
// by itself, to the addresses that are pinned; else it is given connected sockets.
import { Socket, type LookupFunction } from 'node:net';
import type { ConnectionOptions } from 'node:tls';
import { buildConnector } from 'undici';
import type { ProxiedPurpose } from '../../shared-protocol/network/network-options.js';
import { openStream } from '../../shared-protocol/network/open-stream.js';
import type { Outlet } from '../../shared-protocol/network/outlet.js';
import type { Pin } from './judge-target.js';
import { bareHost, pinnedLookup } from './resolve-host.js';

export interface OutletConnectorDeps {
  readonly outlet: Outlet;
  readonly purpose: ProxiedPurpose;
  /** The verdict on a host, which is given as in URLs, without brackets. */
  readonly pinOf: (host: string) => Pick<Pin, 'addresses'> | undefined;
}

/** A connector like undici's own, HTTP/1.1 only. */
export function outletConnector(
  { outlet, purpose, pinOf }: OutletConnectorDeps,
  { timeout, ...options }: Pick<ConnectionOptions, 'ca' | 'rejectUnauthorized'> & { readonly timeout: number },
): buildConnector.connector {
  const lookup: LookupFunction = (host, lookupOptions, callback) =>
    pinnedLookup(pinOf(bareHost(host))?.addresses ?? [])(host, lookupOptions, callback);
  const base = buildConnector({ ...options, allowH2: false, timeout, lookup });
  return (target, callback) => {
    if (outlet.binding.kind === 'open' && !outlet.proxyOf(purpose)) {
      // Undici returns the socket, which its types do not say.
      const socket: unknown = base(target, callback);
      if (socket instanceof Socket) outlet.keep(socket);
      return;
    }
    const host = bareHost(target.hostname);
    const isSecure = target.protocol === 'https:';
    const port = Number(target.port) || (isSecure ? 443 : 80);
    const pin = pinOf(host);
    const opened = pin
      ? openStream(outlet, purpose, { host, port, addresses: pin.addresses }, AbortSignal.timeout(timeout))
      : Promise.reject(new Error('nobody asks any more'));
    opened.then(
      (socket) => (isSecure ? base({ ...target, httpSocket: socket }, callback) : callback(null, socket)),
      (error: unknown) => callback(error instanceof Error ? error : new Error(String(error)), null),
    );
  };
}
