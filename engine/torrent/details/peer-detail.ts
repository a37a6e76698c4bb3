// A connected peer as people see it.
import type { PeerDetail } from '../../../shared-protocol/commands/details.js';
import type { PeerFlagFacts } from '../../../shared-protocol/peer-facts.js';
import { peerFlags } from '../../peers/peer-flags.js';
import { sourcesIn } from '../../peers/peer-list/sources.js';
import type { Bitfield } from '../pieces/bitfield.js';
import type { Peer } from '../peer/peer.js';

/** `own`: the pieces that are here; null while the metadata is unknown. */
export function peerDetail(peer: Peer, own: Bitfield | null): PeerDetail {
  const { connection, client, have, down, up } = peer;
  const { host, port } = connection.remote;
  const facts = factsOf(peer);
  return {
    host,
    port,
    client,
    flags: peerFlags(facts),
    facts,
    progress: have && have.length > 0 ? have.count / have.length : 0,
    relevance: have && own ? relevanceOf(have, own) : 0,
    downloadRate: down.rate,
    uploadRate: up.rate,
    bytesDown: down.total,
    bytesUp: up.total,
  };
}

function factsOf(peer: Peer): PeerFlagFacts {
  const { connection, origin, choked, unchokedAtMs, optimisticAtMs } = peer;
  return {
    weAreInterested: peer.weAreInterested,
    chokesUs: peer.chokesUs,
    interested: peer.interested,
    choked,
    // Its slot is the one that was given by lot, not by rate.
    optimisticUnchoke: !choked && optimisticAtMs !== null && optimisticAtMs >= (unchokedAtMs ?? Infinity),
    snubbed: peer.snubbed,
    incoming: connection.direction === 'incoming',
    encryption: connection.protection,
    sources: sourcesIn(origin.sources),
  };
}

function relevanceOf(have: Bitfield, own: Bitfield): number {
  const missing = own.length - own.count;
  return missing === 0 ? 0 : have.countWithout(own) / missing;
}
