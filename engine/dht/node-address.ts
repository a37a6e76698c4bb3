// IPv4 addresses of nodes: their compact form (BEP 5), what kind they are, and which of them we would ask at all.
// Strangers name addresses in every reply; none of them may make us knock at services of this machine or its network.
import ipaddr from 'ipaddr.js';
import { isIPv4 } from 'node:net';
import type { PeerAddress } from '../environment.js';
import { COMPACT_NODE_BYTES, NODE_ID_BYTES } from './constants.js';

/** `local` is reachable only from near by, so only a node near by can know of it. */
export type AddressKind = 'public' | 'local' | 'unusable';

/** Public nodes listen where users' programs may; ports below belong to services that must not be pestered. */
const FIRST_USER_PORT = 1_024;

export function kindOf(host: string): AddressKind {
  if (!isIPv4(host)) return 'unusable';
  switch (ipaddr.IPv4.parse(host).range()) {
    case 'unicast':
      return 'public';
    case 'loopback':
    case 'private':
    case 'linkLocal':
    case 'carrierGradeNat':
      return 'local';
    default:
      return 'unusable';
  }
}

/** Whether this may be asked as a node, given who named it. */
export function mayBeNode(address: PeerAddress, namedBy: AddressKind): boolean {
  const kind = kindOf(address.host);
  if (kind === 'public') return address.port >= FIRST_USER_PORT && address.port <= 65_535;
  return kind === 'local' && namedBy === 'local' && address.port >= 1 && address.port <= 65_535;
}

/** Networks that only one node of a set may be in: a public address itself and its /24. None for addresses near by. */
export function networksOf(host: string): readonly string[] {
  return kindOf(host) === 'public' ? [host, `${host.slice(0, host.lastIndexOf('.'))}.0/24`] : [];
}

/** Six bytes. @param address of an IPv4 host */
export function compactAddress({ host, port }: PeerAddress): Buffer {
  const bytes = Buffer.alloc(6);
  host.split('.').forEach((part, i) => (bytes[i] = Number(part)));
  bytes.writeUInt16BE(port, 4);
  return bytes;
}

export function addressAt(compact: Uint8Array, offset = 0): PeerAddress {
  const host = compact.subarray(offset, offset + 4).join('.');
  return { host, port: (compact[offset + 4]! << 8) | compact[offset + 5]! };
}

/** The compact nodes whose address passes, one for each network (lt `dht_restrict_search_ips`). */
export function filterNodes(nodes: Uint8Array, passes: (address: PeerAddress) => boolean): Uint8Array {
  const kept: Uint8Array[] = [];
  const taken = new Set<string>();
  for (let at = 0; at + COMPACT_NODE_BYTES <= nodes.length; at += COMPACT_NODE_BYTES) {
    const address = addressAt(nodes, at + NODE_ID_BYTES);
    const networks = networksOf(address.host);
    if (!passes(address) || networks.some((network) => taken.has(network))) continue;
    for (const network of networks) taken.add(network);
    kept.push(nodes.subarray(at, at + COMPACT_NODE_BYTES));
  }
  return Buffer.concat(kept);
}
