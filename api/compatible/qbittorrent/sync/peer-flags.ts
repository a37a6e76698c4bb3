// The letters by which qBittorrent tells of a connection, with their meanings. Pure.
import type { PeerFlagFacts } from '../../../../shared-protocol/peer-facts.js';

type Flag = readonly [letter: string, meaning: string, holds: (facts: PeerFlagFacts) => boolean];

/** In the order in which they are shown. */
const FLAGS: readonly Flag[] = [
  ['d', 'wanted from it, it does not give', (peer) => peer.weAreInterested && peer.chokesUs],
  ['D', 'wanted from it, it gives', (peer) => peer.weAreInterested && !peer.chokesUs],
  ['u', 'wanted by it, it is not given', (peer) => peer.interested && peer.choked],
  ['U', 'wanted by it, it is given', (peer) => peer.interested && !peer.choked],
  ['K', 'it would give, nothing is wanted', (peer) => !peer.weAreInterested && !peer.chokesUs],
  ['?', 'it would be given, it wants nothing', (peer) => !peer.interested && !peer.choked],
  ['O', 'optimistic unchoke', (peer) => peer.optimisticUnchoke],
  ['S', 'it keeps us waiting', (peer) => peer.snubbed],
  ['I', 'incoming connection', (peer) => peer.incoming],
  ['H', 'peer of the DHT', (peer) => peer.sources.includes('dht')],
  ['X', 'peer of PEX', (peer) => peer.sources.includes('pex')],
  ['L', 'peer of LSD', (peer) => peer.sources.includes('lsd')],
  ['E', 'encrypted traffic', (peer) => peer.encryption === 'rc4'],
  ['e', 'encrypted handshake', (peer) => peer.encryption === 'handshake'],
];

/** The ones that hold. */
export function flagsOf(facts: PeerFlagFacts): Flag[] {
  return FLAGS.filter(([, , holds]) => holds(facts));
}
