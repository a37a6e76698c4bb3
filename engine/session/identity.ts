// Who we are to peers and trackers for one run of the engine.
import { parsePeerId, type PeerId } from '../../shared-protocol/ids.js';
import type { Random } from '../environment.js';

/** BEP 20, Azureus style: client code and version; the rest is chance. */
const PREFIX = '-SW0100-';
const PEER_ID_BYTES = 20;

/** The name of a program that many have: libtorrent's in anonymous mode. */
export const COMMON_USER_AGENT = 'curl/7.81.0';

/** `anonymous`: nothing but chance. */
export function createPeerId(random: Random, anonymous = false): PeerId {
  if (anonymous) return parsePeerId(Buffer.from(random.bytes(PEER_ID_BYTES)).toString('hex'));
  const tail = random.bytes(PEER_ID_BYTES - PREFIX.length);
  return parsePeerId(Buffer.concat([Buffer.from(PREFIX, 'latin1'), tail]).toString('hex'));
}

/** BEP 15 `key`: lets a tracker know us again when our address changes. */
export function createAnnounceKey(random: Random): number {
  return Buffer.from(random.bytes(4)).readUInt32BE(0);
}
