// What a peer says about itself beyond the messages of BEP 3: where it listens, that it only uploads, that it has lost
// a piece; and what follows from what it has: whether it is of any use, what others are told of it, our interest.
import type { PeerAddress } from '../../environment.js';
import { isRedundant } from '../../peers/turnover.js';
import { PIECES_PER_MESSAGE_COST } from '../../wire/constants.js';
import type { Download } from '../download/download.js';
import type { Peer } from '../peer/peer.js';
import type { Bitfield } from '../pieces/bitfield.js';
import type { PeerExchange } from './pex.js';

/** The swarm, as far as it matters here. */
export interface UpdatedSwarm {
  readonly content: { readonly have: Bitfield } | null;
  readonly download: Pick<Download, 'picker' | 'fill'> | null;
  readonly isUploadOnly: boolean;
  readonly exchange: Pick<PeerExchange, 'list'>;
  readonly events: {
    /** Where a peer that came to us listens was learnt. */
    onListenAddress(peer: Peer, address: PeerAddress): void;
  };
}

export class PeerUpdates {
  constructor(private readonly swarm: UpdatedSwarm) {}

  onListenAddress(peer: Peer, address: PeerAddress): void {
    if (peer.listenAddress) return;
    peer.listenAddress = address;
    this.swarm.exchange.list(peer, address);
    this.swarm.events.onListenAddress(peer, address);
  }

  /** Follows a change of the peer's pieces. */
  onPiecesChanged(peer: Peer): void {
    if (this.closeIfRedundant(peer)) return;
    if (peer.isSeed && peer.listenAddress) this.swarm.exchange.list(peer, peer.listenAddress);
    this.updateInterest(peer);
  }

  /** BEP 21. */
  onUploadOnly(peer: Peer, uploadOnly: boolean): void {
    peer.uploadOnly = uploadOnly;
    if (!this.closeIfRedundant(peer) && peer.listenAddress) this.swarm.exchange.list(peer, peer.listenAddress);
  }

  /** BEP 54. */
  onDontHave(peer: Peer, piece: number): void {
    if (!peer.have) return;
    if (piece >= peer.have.length) return peer.connection.close('WIRE_PIECE_INDEX', `lt_donthave ${piece}`);
    if (!peer.have.has(piece)) return;
    peer.connection.charge(peer.have.length / PIECES_PER_MESSAGE_COST);
    if (peer.connection.closed) return;
    peer.have.clear(piece);
    this.swarm.download?.picker.onPeerBitfield(peer.key, peer.have.bytes);
    this.updateInterest(peer);
  }

  updateInterest(peer: Peer): void {
    const { download } = this.swarm;
    const wanted = peer.handshakeDone && (download?.picker.isInteresting(peer.key) ?? false);
    if (wanted === peer.weAreInterested) return;
    peer.weAreInterested = wanted;
    peer.connection.sendInterested(wanted);
    if (wanted) download?.fill(peer);
  }

  /** Neither side wants anything of the other. */
  closeIfRedundant(peer: Peer): boolean {
    const { content, isUploadOnly } = this.swarm;
    const us = { isSeed: content?.have.isFull ?? false, uploadOnly: isUploadOnly };
    const redundant = peer.have !== null && isRedundant(us, peer);
    if (redundant) peer.connection.close('REDUNDANT_SEED');
    return redundant;
  }
}
