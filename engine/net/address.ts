// Peer addresses as text and back; what may not be connected to at all.
import ipaddr from 'ipaddr.js';
import { AppError } from '../../shared-protocol/errors.js';
import { because } from '../../shared-protocol/reasons.js';
import type { PeerAddress } from '../environment.js';

/** `host:port`, IPv6 in brackets: the key of an address everywhere. */
export function formatAddress(address: PeerAddress): string {
  return address.host.includes(':') ? `[${address.host}]:${address.port}` : `${address.host}:${address.port}`;
}

/** @throws AppError `PEER_ADDRESS_INVALID` for anything but a literal address and a port of 1 to 65535. */
export function parseAddress(text: string): PeerAddress {
  const match = /^(?:\[([0-9a-fA-F:.]+)\]|([0-9.]+)):([0-9]{1,5})$/.exec(text);
  const host = match?.[1] ?? match?.[2];
  const port = Number(match?.[3]);
  // ipaddr.js also takes "1" and "010.0.0.1", which people do not mean as addresses.
  const isLiteral = match?.[1] ? ipaddr.IPv6.isValid(match[1]) : ipaddr.IPv4.isValidFourPartDecimal(host ?? '');
  if (!host || !isLiteral || port < 1 || port > 65_535) {
    const shown = text.slice(0, 100);
    const said = `peers: "${shown}" is not in the form address:port.`;
    throw new AppError('PEER_ADDRESS_INVALID', said, because('PEER_ADDRESS_INVALID', { text: shown }));
  }
  return normalizeAddress({ host, port });
}

/** One spelling for each address: IPv4-mapped IPv6 as IPv4, IPv6 compressed. */
export function normalizeAddress(address: PeerAddress): PeerAddress {
  return { host: ipaddr.process(address.host).toString(), port: address.port };
}

/** The one spelling of an address that may be connected to; null for unspecified, multicast, broadcast and port 0. */
export function connectable({ host, port }: PeerAddress): PeerAddress | null {
  if (!Number.isInteger(port) || port < 1 || port > 65_535) return null;
  const ip = parseHost(host);
  const range = ip?.range();
  if (!ip || range === 'unspecified' || range === 'multicast' || range === 'broadcast') return null;
  // Elsewhere a zone says nothing, and would make many addresses of one.
  if (host.includes('%') && range !== 'linkLocal') return null;
  return { host: ip.toString(), port };
}

export function isConnectable(address: PeerAddress): boolean {
  return connectable(address) !== null;
}

/** Loopback, link-local and private networks: where one address may be many peers, and all of them are close. */
export function isLocalHost(host: string): boolean {
  const range = parseHost(host)?.range();
  return range === 'loopback' || range === 'private' || range === 'linkLocal' || range === 'uniqueLocal';
}

/** The address of one subscriber: an IPv4 address, or an IPv6 address's /64. The key of bans and of attempt limits. */
export function networkOf(host: string): string {
  const ip = parseHost(host);
  if (!ip || ip.kind() === 'ipv4') return ip?.toString() ?? host;
  // Translators put all of the IPv4 internet behind one /64.
  const range = ip.range();
  if (range === 'rfc6052' || range === 'rfc6145' || range === 'teredo') return ip.toString();
  const bytes = ip.toByteArray().fill(0, 8);
  return `${ipaddr.fromByteArray(bytes).toString()}/64`;
}

/** Linux IFNAMSIZ less the end of the string. */
const MAX_ZONE_LENGTH = 15;

/** An address in its plain spelling only: ipaddr.js also takes "1" and "010.0.0.1". null for anything else. */
function parseHost(host: string): ipaddr.IPv4 | ipaddr.IPv6 | null {
  // No IPv6 address is longer than 45 characters, whatever its zone.
  if (host.length > 46 + MAX_ZONE_LENGTH) return null;
  if (!host.includes(':')) return ipaddr.IPv4.isValidFourPartDecimal(host) ? ipaddr.IPv4.parse(host) : null;
  return ipaddr.IPv6.isValid(host) ? ipaddr.process(host) : null;
}
