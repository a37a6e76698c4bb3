// Peer lists as trackers send them: compact IPv4 (BEP 23), compact IPv6 (BEP 7), and single addresses of the
// dictionary form (BEP 3). Addresses at which no peer can be reached are dropped; private and loopback ones stay,
// because a tracker may well serve one house.
import ipaddr from 'ipaddr.js';
import type { PeerAddress } from '../environment.js';
import { REPLY_MAX_PEERS } from './constants.js';

const IPV4_BYTES = 6;
const IPV6_BYTES = 18;

/** BEP 23: 4 bytes address, 2 bytes port. A rest that fills no entry is ignored. */
export function compactPeers(bytes: Uint8Array): PeerAddress[] {
  const peers: PeerAddress[] = [];
  for (let at = 0; at + IPV4_BYTES <= bytes.length && peers.length < REPLY_MAX_PEERS; at += IPV4_BYTES) {
    const port = (bytes[at + 4]! << 8) | bytes[at + 5]!;
    const first = bytes[at]!;
    if (!reachableIpv4(first) || port === 0) continue;
    peers.push({ host: `${first}.${bytes[at + 1]!}.${bytes[at + 2]!}.${bytes[at + 3]!}`, port });
  }
  return peers;
}

/** BEP 7: 16 bytes address, 2 bytes port. */
export function compactPeers6(bytes: Uint8Array): PeerAddress[] {
  const peers: PeerAddress[] = [];
  for (let at = 0; at + IPV6_BYTES <= bytes.length && peers.length < REPLY_MAX_PEERS; at += IPV6_BYTES) {
    const port = (bytes[at + 16]! << 8) | bytes[at + 17]!;
    const host = addressFromBytes(bytes.subarray(at, at + 16));
    if (host !== null && port !== 0) peers.push({ host, port });
  }
  return peers;
}

/** One entry of the dictionary form. BEP 3 allows a DNS name; only literals are taken. */
export function peerFromText(host: string, port: number): PeerAddress | null {
  if (!Number.isInteger(port) || port < 1 || port > 65_535 || !/^[0-9a-fA-F.:]+$/.test(host)) return null;
  if (!ipaddr.IPv4.isValidFourPartDecimal(host) && !ipaddr.IPv6.isValid(host)) return null;
  const literal = addressFromBytes(Uint8Array.from(ipaddr.parse(host).toByteArray()));
  return literal === null ? null : { host: literal, port };
}

/** The literal for 4 or 16 bytes; null for another length and for what cannot be connected to. */
export function addressFromBytes(bytes: Uint8Array): string | null {
  if (bytes.length !== 4 && bytes.length !== 16) return null;
  const parsed = ipaddr.fromByteArray([...bytes]);
  const address = parsed.kind() === 'ipv6' ? ipaddr.process(parsed.toString()) : parsed;
  if (address.kind() === 'ipv4') return reachableIpv4(address.toByteArray()[0]!) ? address.toString() : null;
  const range = address.range();
  return range === 'unspecified' || range === 'multicast' ? null : address.toString();
}

/** Not "this network" (0/8), not multicast, reserved or broadcast (224/3). */
function reachableIpv4(firstByte: number): boolean {
  return firstByte !== 0 && firstByte < 224;
}
