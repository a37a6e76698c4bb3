// What a web seed passes for among peers: an id and an address made from its URL, so that two connections to the same
// seed are known for one, and whatever is held against an address is held against this seed alone.
import ipaddr from 'ipaddr.js';
import { createHash } from 'node:crypto';
import { parsePeerId, type PeerId } from '../../shared-protocol/ids.js';
import type { PeerAddress } from '../environment.js';

/** In the style of BEP 20. */
const PEER_ID_PREFIX = Buffer.from('-WS0100-', 'latin1');
const PEER_ID_BYTES = 20;
/** RFC 6666: packets to 100::/64 are discarded, so no peer has such an address and none can be reached there. */
const DISCARD_PREFIX = [0x01, 0, 0, 0, 0, 0, 0, 0];

export function webSeedPeerId(url: string): PeerId {
  const id = Buffer.concat([PEER_ID_PREFIX, hash(url)]).subarray(0, PEER_ID_BYTES);
  return parsePeerId(id.toString('hex'));
}

/** Never to be connected to or told to other peers; the port is the URL's. */
export function webSeedAddress(url: string): PeerAddress {
  const { protocol, port } = new URL(url);
  const host = new ipaddr.IPv6([...DISCARD_PREFIX, ...hash(url).subarray(0, 8)]).toString();
  return { host, port: port === '' ? (protocol === 'https:' ? 443 : 80) : Number(port) };
}

/** Whether an address is one of {@link webSeedAddress}. */
export function isWebSeedAddress(host: string): boolean {
  if (!ipaddr.IPv6.isValid(host)) return false;
  const bytes = ipaddr.IPv6.parse(host).toByteArray();
  return DISCARD_PREFIX.every((byte, index) => bytes[index] === byte);
}

function hash(url: string): Buffer {
  return createHash('sha1').update(url).digest();
}
