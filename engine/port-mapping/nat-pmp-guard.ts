// Which NAT-PMP answers nat-api gets to see (RFC 6886 3.2, 3.3). The package takes any sender's word, and throws from its
// socket's handler, which no caller can catch, when a packet is shorter than it expects.
import { NAT_PMP_PORT } from './constants.js';

const ANSWER_OF_ADDRESS = 128;
const ANSWER_OF_UDP = 129;
const ANSWER_OF_TCP = 130;

export function isNatPmpAnswer(
  packet: Uint8Array,
  from: { readonly address: string; readonly port: number },
  gateway: string,
): boolean {
  if (from.address !== gateway || from.port !== NAT_PMP_PORT) return false;
  const [version, operation, ...result] = packet.subarray(0, 4);
  if (version !== 0 || result.length < 2) return false;
  // Refusals may be cut after the time, which all answers have.
  const isRefusal = result.some((byte) => byte !== 0);
  if (operation === ANSWER_OF_ADDRESS) return packet.length === 12 || (isRefusal && packet.length >= 8);
  if (operation !== ANSWER_OF_UDP && operation !== ANSWER_OF_TCP) return false;
  return packet.length === 16 || (isRefusal && packet.length >= 8);
}
