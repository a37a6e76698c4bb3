// BEP 42: node ids that go with the address of their node, so that no node can choose where in the key space to sit.
// Ours follow it once our address is known; those of others are taken as they are.
import { isIPv4 } from 'node:net';
import { crc32c } from '../util/crc32c.js';
import type { Random } from '../environment.js';
import { NODE_ID_BYTES } from './constants.js';

/** BEP 42: the bits of an IPv4 address that count. */
const IPV4_MASK = [0x03, 0x0f, 0x3f, 0xff] as const;

/** An id of chance; its last byte is BEP 42's seed. */
export function randomNodeId(random: Random): Uint8Array {
  return random.bytes(NODE_ID_BYTES);
}

/** @param ip an IPv4 literal */
export function nodeIdFor(ip: string, random: Random): Uint8Array {
  const id = randomNodeId(random);
  const prefix = prefixFor(ip, id[NODE_ID_BYTES - 1]!);
  id[0] = prefix >>> 24;
  id[1] = (prefix >>> 16) & 0xff;
  id[2] = ((prefix >>> 8) & 0xf8) | (id[2]! & 0x07);
  return id;
}

/** Whether the first 21 bits are those that BEP 42 derives from address and last byte. */
export function isNodeIdFor(ip: string, id: Uint8Array): boolean {
  if (id.length !== NODE_ID_BYTES || !isIPv4(ip)) return false;
  const prefix = prefixFor(ip, id[NODE_ID_BYTES - 1]!);
  return id[0] === prefix >>> 24 && id[1] === ((prefix >>> 16) & 0xff) && ((id[2]! ^ (prefix >>> 8)) & 0xf8) === 0;
}

function prefixFor(ip: string, seed: number): number {
  const masked = ip.split('.').map((part, i) => Number(part) & IPV4_MASK[i]!);
  masked[0]! |= (seed & 0x07) << 5;
  return crc32c(Uint8Array.from(masked));
}
