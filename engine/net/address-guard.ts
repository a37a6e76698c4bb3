// Which addresses a torrent's trackers and web seeds may make us talk to (safety 2.22): whoever writes a torrent file
// or owns a DNS name must not be able to send requests to services that trust this machine. Pure; the clients ask for
// every address they are about to connect to, after resolution, so a name that changes its mind gains nothing.
import ipaddr from 'ipaddr.js';

export type AddressVerdict = { readonly kind: 'allowed' } | { readonly kind: 'refused'; readonly reason: string };

/** Cloud instance metadata: nothing a torrent may name. */
const METADATA_ADDRESSES = new Set(['169.254.169.254', 'fd00:ec2::254']);

const ALLOWED: AddressVerdict = { kind: 'allowed' };

/** `loopbackAllowed`: the request is harmless there, as an announce is. `isBlocked`: the list of the machine's owner. */
export function judgeAddress(
  literal: string,
  loopbackAllowed: boolean,
  isBlocked: (address: string) => boolean = () => false,
): AddressVerdict {
  const address = parseLiteral(literal);
  if (!address) return refused('not an address');
  const text = address.toString();
  if (METADATA_ADDRESSES.has(text)) return refused('instance metadata address');
  if (isBlocked(literal) || isBlocked(text)) return refused('address on the blocklist');
  switch (address.range()) {
    case 'multicast':
    case 'broadcast':
      return refused(`${address.range()} address`);
    case 'loopback':
    // Connecting to 0.0.0.0 or :: reaches this machine.
    case 'unspecified':
      return loopbackAllowed ? ALLOWED : refused('loopback address');
    default:
      return ALLOWED;
  }
}

/** Whether a request with this path is harmless to this very machine: libtorrent's rule, and the scrape of BEP 48. */
export function loopbackAllowed(path: string, purpose: 'announce' | 'scrape'): boolean {
  return path.startsWith('/announce') || (purpose === 'scrape' && path.startsWith('/scrape'));
}

/**
 * Whether the address is of this machine, of a network near it or of no network at all; true for what is no address.
 * Services there may trust whoever can reach them.
 */
export function isLocalAddress(literal: string): boolean {
  return parseLiteral(literal)?.range() !== 'unicast';
}

/** In brackets or not, with a zone or not; null for what is no literal. */
function parseLiteral(literal: string): ipaddr.IPv4 | ipaddr.IPv6 | null {
  const bare = literal.replace(/^\[|\]$/g, '').replace(/%.*$/, '');
  return ipaddr.isValid(bare) ? innerAddress(ipaddr.parse(bare)) : null;
}

/** The IPv4 address inside a mapped, 6to4 or NAT64 one: that is where packets would end up. */
function innerAddress(address: ipaddr.IPv4 | ipaddr.IPv6): ipaddr.IPv4 | ipaddr.IPv6 {
  if (!(address instanceof ipaddr.IPv6)) return address;
  const bytes = address.toByteArray();
  const range = address.range();
  if (range === 'ipv4Mapped' || range === 'rfc6052' || range === 'rfc6145') return new ipaddr.IPv4(bytes.slice(12));
  if (range === '6to4') return new ipaddr.IPv4(bytes.slice(2, 6));
  // ::a.b.c.d, deprecated but still parsed; :: and ::1 are addresses of their own.
  if (bytes.slice(0, 12).every((byte) => byte === 0) && bytes[12] !== 0) return new ipaddr.IPv4(bytes.slice(12));
  return address;
}

function refused(reason: string): AddressVerdict {
  return { kind: 'refused', reason };
}
