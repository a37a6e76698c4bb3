// The pieces a choked peer may request all the same (BEP 6, "Allowed Fast Set Generation"). Deterministic in the peer's
// /24 and the info hash: reconnecting, or a second address next door, brings no other pieces.
import { createHash } from 'node:crypto';
import ipaddr from 'ipaddr.js';
import type { InfoHash } from '../../shared-protocol/ids.js';

/**
 * The set for a peer, in the order of BEP 6; fewer than `k` where the torrent has fewer pieces. Empty for IPv6 peers,
 * for which BEP 6 defines none.
 *
 * @param ip literal address of the peer
 */
export function allowedFastSet(ip: string, infoHash: InfoHash, pieceCount: number, k: number): number[] {
  const network = networkOf(ip);
  const size = Math.min(k, pieceCount);
  const pieces = new Set<number>();
  if (!network || !(size > 0)) return [];
  // A hash that comes back to where it was would go on for ever; one round in which nothing is new does not mean that,
  // but so many do: the chance to miss the last of n pieces in 5 * 20n draws is e^-100.
  let roundsLeft = 20 * pieceCount;
  let x: Uint8Array = Buffer.concat([network, Buffer.from(infoHash, 'hex')]);
  while (pieces.size < size && roundsLeft-- > 0) {
    const digest = createHash('sha1').update(x).digest();
    for (let at = 0; at < digest.length && pieces.size < size; at += 4)
      pieces.add(digest.readUInt32BE(at) % pieceCount);
    x = digest;
  }
  return [...pieces];
}

/** The first three bytes of an IPv4 address and a zero. */
function networkOf(ip: string): Uint8Array | null {
  if (!ipaddr.isValid(ip)) return null;
  const address = ipaddr.process(ip);
  if (address.kind() !== 'ipv4') return null;
  return Uint8Array.from([...address.toByteArray().slice(0, 3), 0]);
}
