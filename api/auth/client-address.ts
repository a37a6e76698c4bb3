// Who really asks: the address, host and scheme of a request, taking X-Forwarded-* from trusted proxies only.
import type { IncomingHttpHeaders } from 'node:http';
import ipaddr from 'ipaddr.js';
import type { Cidr } from '../../shared-protocol/address-policy.js';

export interface ClientAddress {
  readonly ip: string;
  /** As the client wrote it, with port. */
  readonly host: string | undefined;
  readonly isSecure: boolean;
}

/** The parts of an IncomingMessage that tell. */
export interface Incoming {
  readonly socket: { readonly remoteAddress?: string | undefined };
  readonly headers: IncomingHttpHeaders;
}

export function clientAddress(request: Incoming, trustedProxies: readonly Cidr[], tls: boolean): ClientAddress {
  const peer = request.socket.remoteAddress ?? '';
  const direct: ClientAddress = { ip: peer, host: request.headers.host, isSecure: tls };
  if (!isTrusted(peer, trustedProxies)) return direct;
  const scheme = lastOf(request.headers['x-forwarded-proto']);
  return {
    ip: nearestUntrusted(request.headers['x-forwarded-for'], trustedProxies) ?? peer,
    host: lastOf(request.headers['x-forwarded-host']) ?? direct.host,
    isSecure: scheme === undefined ? tls : scheme === 'https',
  };
}

/** Whatever stands left of the last proxy we do not know may be invented by the client. */
function nearestUntrusted(header: string | string[] | undefined, trustedProxies: readonly Cidr[]): string | undefined {
  const hops = elements(header).reverse();
  return hops.find((hop) => ipaddr.isValid(hop) && !isTrusted(hop, trustedProxies)) ?? hops.at(-1);
}

export function isTrusted(address: string, trustedProxies: readonly Cidr[]): boolean {
  if (trustedProxies.length === 0 || !ipaddr.isValid(address)) return false;
  const parsed = ipaddr.process(address);
  return trustedProxies.some(([range, bits]) => parsed.kind() === range.kind() && parsed.match(range, bits));
}

export function isLoopback(address: string): boolean {
  return ipaddr.isValid(address) && ipaddr.process(address).range() === 'loopback';
}

function lastOf(header: string | string[] | undefined): string | undefined {
  return elements(header).at(-1);
}

function elements(header: string | string[] | undefined): string[] {
  const text = Array.isArray(header) ? header.join(',') : (header ?? '');
  return text
    .split(',')
    .map((element) => element.trim())
    .filter((element) => element !== '');
}
