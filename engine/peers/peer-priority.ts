// Canonical peer priority (BEP 40): a number for a pair of addresses on which both ends agree. Where connections are
// scarce the higher one is kept, so no peer can crowd others out by connecting more often.
import ipaddr from 'ipaddr.js';
import type { PeerAddress } from '../environment.js';
import { crc32c } from '../util/crc32c.js';

/** Bits that count of what two addresses do not share. */
const DISTANT_MASK = 0x55;

/**
 * An unsigned 32-bit number, the same whichever address comes first. `ours` should be our address as that peer sees it.
 * An address that is none has priority 0.
 */
export function peerPriority(ours: PeerAddress, theirs: PeerAddress): number {
  if (!ipaddr.isValid(ours.host) || !ipaddr.isValid(theirs.host)) return 0;
  const [a, b] = sameFamily(ipaddr.process(ours.host), ipaddr.process(theirs.host));
  if (Buffer.compare(a, b) === 0) return crc32c(ordered(portBytes(ours.port), portBytes(theirs.port)));
  // IPv4: /16 at least, one byte more if that is shared. IPv6: /48 at least, then as many more bytes as it takes.
  let whole = a.length === 4 ? 2 : 6;
  while (Buffer.compare(a.subarray(0, whole), b.subarray(0, whole)) === 0) whole++;
  return crc32c(ordered(masked(a, whole), masked(b, whole)));
}

/** IPv4 and IPv6 mixed: both as IPv6, which BEP 40 leaves open. */
function sameFamily(a: ipaddr.IPv4 | ipaddr.IPv6, b: ipaddr.IPv4 | ipaddr.IPv6): [Buffer, Buffer] {
  const mixed = a.kind() !== b.kind();
  const [first, second] = [a, b].map((address) =>
    Buffer.from((mixed && address instanceof ipaddr.IPv4 ? address.toIPv4MappedAddress() : address).toByteArray()),
  );
  return [first!, second!];
}

function masked(address: Buffer, wholeBytes: number): Buffer {
  return Buffer.from(address.map((byte, at) => (at < wholeBytes ? byte : byte & DISTANT_MASK)));
}

function portBytes(port: number): Buffer {
  return Buffer.from([port >> 8, port & 0xff]);
}

function ordered(a: Buffer, b: Buffer): Buffer {
  return Buffer.compare(a, b) <= 0 ? Buffer.concat([a, b]) : Buffer.concat([b, a]);
}
