// Peer addresses as text and back; what may not be connected to at all.
import ipaddr from 'ipaddr.js';
import { AppError } from '../../shared-protocol/errors.js';
import type { PeerAddress } from '../ports.js';

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
    throw new AppError('PEER_ADDRESS_INVALID', `peers: "${text.slice(0, 100)}" is not an address and port`);
  }
  return normalizeAddress({ host, port });
}

/** One spelling for each address: IPv4-mapped IPv6 as IPv4, IPv6 compressed. */
export function normalizeAddress(address: PeerAddress): PeerAddress {
  return { host: ipaddr.process(address.host).toString(), port: address.port };
}

/** Unspecified, multicast, broadcast and port 0 are never peers. */
export function isConnectable(address: PeerAddress): boolean {
  if (address.port < 1 || address.port > 65_535 || !ipaddr.isValid(address.host)) return false;
  const range = ipaddr.process(address.host).range();
  return range !== 'unspecified' && range !== 'multicast' && range !== 'broadcast';
}
