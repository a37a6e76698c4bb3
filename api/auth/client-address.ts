// Who really asks: the address, host and scheme of a request, taking X-Forwarded-* from trusted proxies only.
import type { IncomingHttpHeaders } from 'node:http';
import { isIP } from 'node:net';
import ipaddr from 'ipaddr.js';
import type { Cidr } from '../../shared-protocol/address-policy.js';

export interface ClientAddress {
  readonly ip: string;
  /** The host as the client wrote it, with port. */
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

/**
 * Whatever stands left of the last proxy we do not know may be invented by the client. Undefined where a hop is no
 * address: the proxy that wrote it hides its client, so the proxy counts as the client.
 */
function nearestUntrusted(header: string | string[] | undefined, trustedProxies: readonly Cidr[]): string | undefined {
  let nearest: string | undefined;
  for (const hop of elements(header).reverse()) {
    nearest = addressOf(hop);
    if (nearest === undefined || !isTrusted(nearest, trustedProxies)) break;
  }
  return nearest;
}

/** Some proxies append the port of the client: `192.0.2.1:5678`, `[2001:db8::1]:5678`. */
function addressOf(hop: string): string | undefined {
  const [, bracketed, dotted] = /^(?:\[(.+)\]|([\d.]+))(?::\d{1,5})?$/.exec(hop) ?? [];
  const address = bracketed ?? dotted ?? hop;
  return isIP(address) === 0 ? undefined : address;
}

export function isTrusted(address: string, trustedProxies: readonly Cidr[]): boolean {
  if (trustedProxies.length === 0 || !ipaddr.isValid(address)) return false;
  const parsed = ipaddr.process(address);
  return trustedProxies.some(([range, bits]) => parsed.kind() === range.kind() && parsed.match(range, bits));
}

/** Whether it is a loopback address, or `localhost`. */
export function isLoopback(address: string): boolean {
  if (address === 'localhost') return true;
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
