// What goes on with a peer, in the letters that qBittorrent and Transmission show. P (uTP) is never among them: we
// speak TCP.
import type { PeerFlagFacts } from '../../shared-protocol/peer-facts.js';

/**
 * Letters in qBittorrent's order, without spaces:
 *
 * - `D` we download from it, `d` we want to but it chokes us
 * - `U` we upload to it, `u` it wants us to but we choke it
 * - `O` optimistic unchoke, `S` snubbed, `I` it connected to us
 * - `K` it would serve us but we want nothing, `?` we would serve it but it wants nothing
 * - `X`, `H`, `L` learnt of by peer exchange, the DHT, local discovery
 * - `E` all is encrypted, `e` the handshake was
 */
export function peerFlags(facts: PeerFlagFacts): string {
  const { weAreInterested, chokesUs, interested, choked, encryption, sources } = facts;
  return [
    weAreInterested && (chokesUs ? 'd' : 'D'),
    interested && (choked ? 'u' : 'U'),
    facts.optimisticUnchoke && 'O',
    facts.snubbed && 'S',
    facts.incoming && 'I',
    !chokesUs && !weAreInterested && 'K',
    !choked && !interested && '?',
    sources.includes('pex') && 'X',
    sources.includes('dht') && 'H',
    encryption === 'rc4' && 'E',
    encryption === 'handshake' && 'e',
    sources.includes('lsd') && 'L',
  ]
    .filter((letter) => letter !== false)
    .join('');
}
