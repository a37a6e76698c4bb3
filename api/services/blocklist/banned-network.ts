// How a banned address is written: one spelling for each, so that nobody is banned twice or unbanned in vain. Packets to
// IPv4 that is mapped into IPv6 go by IPv4, and are banned as such. Pure.
import { isIP } from 'node:net';
import ipaddr from 'ipaddr.js';

const MAPPED_BITS = 96;
const NETWORK = /^([^/]+)(?:\/(\d{1,3}))?$/;

/** An address, also with a zone, or a network in CIDR notation, whose host bits mean nothing; null: neither. */
export function readBanned(text: string): string | null {
  const [, literal = '', prefix] = NETWORK.exec(text.trim()) ?? [];
  const bare = literal.replace(/%.*$/, '');
  // Stricter than ipaddr.js, which takes 127.1 for an address as well.
  if (isIP(bare) === 0) return null;
  const written = ipaddr.parse(bare);
  const address = ipaddr.process(bare);
  const isMapped = written.kind() !== address.kind();
  const size = written.kind() === 'ipv4' ? 32 : 128;
  const bits = Number(prefix ?? size) - (isMapped ? MAPPED_BITS : 0);
  const all = isMapped ? 32 : size;
  if (bits < 0 || bits > all) return null;
  if (bits === all) return address.toString();
  const Kind = address.kind() === 'ipv4' ? ipaddr.IPv4 : ipaddr.IPv6;
  return `${Kind.networkAddressFromCIDR(`${address.toString()}/${bits}`).toString()}/${bits}`;
}
