// A connected peer as people see it.
import type { PeerDetail } from '../../../shared-protocol/commands.js';
import { peerFlags } from '../../peers/peer-flags.js';
import { sourcesIn } from '../../peers/peer-list/sources.js';
import type { Peer } from '../peer/peer.js';

export function peerDetail(peer: Peer): PeerDetail {
  const { connection, client, have, down, up, origin, unchokedAtMs, optimisticAtMs } = peer;
  const { host, port } = connection.remote;
  return {
    host,
    port,
    client,
    flags: peerFlags({
      weAreInterested: peer.weAreInterested,
      chokesUs: peer.chokesUs,
      interested: peer.interested,
      choked: peer.choked,
      // Its slot is the one that was given by lot, not by rate.
      optimisticUnchoke: !peer.choked && optimisticAtMs !== null && optimisticAtMs >= (unchokedAtMs ?? Infinity),
      snubbed: peer.snubbed,
      incoming: connection.direction === 'incoming',
      encryption: connection.protection,
      sources: sourcesIn(origin.sources),
    }),
    progress: have && have.length > 0 ? have.count / have.length : 0,
    downloadRate: down.rate,
    uploadRate: up.rate,
  };
}
