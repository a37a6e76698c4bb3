// Which addresses a fetch on behalf of a user may connect to (safety.md 2.22, semantics.md section 9): those of the
// public internet, and the ranges of `--fetch-allow`. Whoever may name a URL must not be able to talk to what trusts this
// machine or its network. Pure; asked for every address a name resolved to, and for every literal.
import { isIP } from 'node:net';
import ipaddr from 'ipaddr.js';
import type { Cidr } from '../auth/client-address.js';

type Address = ipaddr.IPv4 | ipaddr.IPv6;

/** Cloud instance metadata: hands out credentials, so not even an allowed range opens it. */
const METADATA_ADDRESSES = new Set(['169.254.169.254', 'fd00:ec2::254']);

/** All public IPv6 there is (RFC 4291); the ranges inside it that are none are left to the table of ipaddr.js. */
const GLOBAL_IPV6 = ipaddr.parseCIDR('2000::/3');

/**
 * Whether this address may be connected to; false for what is no address. An address that carries another one (mapped,
 * 6to4, NAT64, Teredo) is never public.
 */
export function mayConnectTo(literal: string, allowed: readonly Cidr[]): boolean {
  // Stricter than ipaddr.js, which takes 127.1 for an address as well.
  if (isIP(literal) === 0) return false;
  const address = ipaddr.parse(literal);
  if (isMetadata(address)) return false;
  return isPublic(address) || allowed.some((range) => contains(range, address));
}

function isPublic(address: Address): boolean {
  if (address.range() !== 'unicast') return false;
  return address.kind() === 'ipv4' || contains(GLOBAL_IPV6, address);
}

function contains([network, bits]: Cidr, address: Address): boolean {
  return network.kind() === address.kind() && address.match(network, bits);
}

function isMetadata(address: Address): boolean {
  return [address, ...carriedBy(address)].some((candidate) => METADATA_ADDRESSES.has(candidate.toString()));
}

/** Where packets to a mapped, 6to4 or NAT64 address may end up. */
function carriedBy(address: Address): Address[] {
  if (!(address instanceof ipaddr.IPv6)) return [];
  const bytes = address.toByteArray();
  return [new ipaddr.IPv4(bytes.slice(12)), new ipaddr.IPv4(bytes.slice(2, 6))];
}
