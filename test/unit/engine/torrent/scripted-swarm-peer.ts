// A connected peer of a torrent without a torrent: its connection leads to nobody.
import { parseInfoHash } from '../../../../shared-protocol/ids.js';
import { RateLimiter } from '../../../../engine/net/rate-limiter.js';
import { Peer, type PeerOrigin, type PeerRates } from '../../../../engine/torrent/peer/peer.js';
import { parsePeerId } from '../../../../shared-protocol/ids.js';
import { MemoryNetwork } from '../../../support/memory-network.js';
import { RecordedConnection } from '../../../support/recorded-connection.js';
import { VirtualClock } from '../../../support/virtual-clock.js';

export interface PeerTraits {
  readonly key?: number;
  readonly direction?: 'incoming' | 'outgoing';
  readonly rates?: PeerRates;
  readonly origin?: PeerOrigin;
}

export function peerWith(traits: PeerTraits = {}): Peer {
  const { key = 1, direction = 'outgoing', origin = { sources: 0, webSeedUrl: null } } = traits;
  const [opener, accepted] = new MemoryNetwork().pair();
  const infoHash = parseInfoHash('ab'.repeat(20));
  const peerId = parsePeerId('cd'.repeat(20));
  const socket = direction === 'outgoing' ? opener : accepted;
  const { connection } = new RecordedConnection(socket, { direction, infoHash, peerId });
  return new Peer(key, connection, 0, traits.rates ?? unlimited(), origin);
}

function unlimited(): PeerRates {
  const torrent = new RateLimiter(new VirtualClock()).torrent();
  return { down: torrent.client(() => undefined), up: torrent.client(() => undefined) };
}
