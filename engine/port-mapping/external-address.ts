// The external address as a gateway tells it: of use only when it is an address of the internet. Pure.
import ipaddr from 'ipaddr.js';

export type ExternalAddress =
  | { readonly kind: 'public'; readonly address: string }
  /** The gateway has another one before it (RFC 1918, RFC 6598), or no connection at all (0.0.0.0). */
  | { readonly kind: 'private' }
  | { readonly kind: 'none' };

export function readExternalAddress(said: unknown): ExternalAddress {
  if (typeof said !== 'string' || said === '') return { kind: 'none' };
  const text = said.trim();
  if (!ipaddr.IPv4.isValidFourPartDecimal(text)) return { kind: 'none' };
  const address = ipaddr.IPv4.parse(text);
  return address.range() === 'unicast' ? { kind: 'public', address: address.toString() } : { kind: 'private' };
}
