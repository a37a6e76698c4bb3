// Hears one connection for its torrent: checks what a message says against the torrent, notes it at the peer, and
// passes it to the part of the swarm it concerns. Whatever cannot be true closes the connection with a reason.
import type { InfoHash, PeerId } from '../../../shared-protocol/ids.js';
import ipaddr from 'ipaddr.js';
import type { HandshakeExtensions } from 'bittorrent-protocol';
import { connectable } from '../../net/address.js';
import { clientName } from '../../peers/client-name.js';
import { MAX_UNREQUESTED_BYTES, PIECES_PER_MESSAGE_COST } from '../../wire/constants.js';
import type { CloseReason } from '../../wire/errors.js';
import type { ConnectionHandler } from '../../wire/peer-connection.js';
import { MAX_METADATA_BYTES } from '../../wire/metadata-extension.js';
import { MAX_EARLY_HAVES, type Peer } from '../peer/peer.js';
import { receiveHandshake } from './handshake.js';
import type { SwarmContext } from './swarm-context.js';

/** Allowed-fast pieces kept of one peer; BEP 6 sends about ten. */
const MAX_ALLOWED_FAST = 100;
/** The wire remembers every name it was ever told. Peers say about ten, and again when something changes. */
const MAX_EXTENSION_NAMES = 64;
const MAX_EXTENDED_HANDSHAKES = 30;
/** One bit for each SHA-1 that the largest info dictionary has room for. */
const MAX_EARLY_BITFIELD_BYTES = MAX_METADATA_BYTES / 20 / 8;

export class PeerMessages implements ConnectionHandler {
  /** Set by the swarm before the first event. */
  declare peer: Peer;

  #extendedHandshakes = 0;

  constructor(private readonly swarm: SwarmContext) {}

  onConnect(): void {
    this.swarm.onConnect(this.peer);
  }

  onHandshake(infoHash: InfoHash, peerId: PeerId, extensions: HandshakeExtensions): void {
    receiveHandshake(this.swarm, this.peer, { infoHash, peerId, dht: extensions.dht === true });
  }

  onChoke(): void {
    this.peer.chokesUs = true;
    this.swarm.download?.onChoked(this.peer);
  }

  onUnchoke(): void {
    this.peer.chokesUs = false;
    this.swarm.download?.fill(this.peer);
  }

  onInterested(): void {
    this.peer.interested = true;
    this.swarm.services.host.onInterestChanged();
  }

  onNotInterested(): void {
    this.peer.interested = false;
    if (!this.peer.choked) this.swarm.services.host.onInterestChanged();
  }

  onHave(piece: number): void {
    const { peer, swarm } = this;
    if (!peer.have) {
      if (peer.early && peer.early.haves.length < MAX_EARLY_HAVES) peer.early.haves.push(piece);
      return;
    }
    if (piece >= peer.have.length) return peer.connection.close('WIRE_PIECE_INDEX', `have ${piece}`);
    peer.have.set(piece);
    swarm.download?.picker.onPeerHave(peer.key, piece);
    swarm.superSeeding.onHave(peer, piece);
    this.#onPiecesChanged();
    if (peer.weAreInterested) swarm.download?.fill(peer);
  }

  onBitfield(bits: Uint8Array): void {
    const { peer } = this;
    if (!peer.have) {
      if (bits.length > MAX_EARLY_BITFIELD_BYTES) return peer.connection.close('WIRE_BITFIELD_LENGTH');
      if (peer.early) peer.early.bits = bits;
      return;
    }
    peer.early = { all: false, bits, haves: [] };
    this.#onAllPieces('WIRE_BITFIELD_LENGTH');
  }

  onHaveAll(): void {
    const { peer } = this;
    if (!peer.have) {
      if (peer.early) peer.early.all = true;
      return;
    }
    peer.early = { all: true, bits: null, haves: [] };
    this.#onAllPieces('WIRE_PIECE_INDEX');
  }

  onHaveNone(): void {
    // That is what a peer has before it says otherwise.
    this.swarm.upload?.offerFast(this.peer);
    this.swarm.superSeeding.onPieces(this.peer);
  }

  onAllowedFast(piece: number): void {
    if (this.peer.allowedFast.size >= MAX_ALLOWED_FAST) return;
    if (this.peer.have && piece >= this.peer.have.length) return this.peer.connection.close('WIRE_PIECE_INDEX');
    this.peer.allowFast(piece);
    this.swarm.download?.fill(this.peer);
  }

  onPort(port: number): void {
    const { peer, swarm } = this;
    if (!swarm.isPrivate) swarm.services.discovery.addNode({ host: peer.connection.remote.host, port });
  }

  onExtendedHandshake(handshake: Record<string, unknown>): void {
    const { peer, swarm } = this;
    const { m, reqq, v, p, yourip, upload_only: uploadOnly } = handshake;
    const names = typeof m === 'object' && m !== null ? Object.keys(m).length : 0;
    if (++this.#extendedHandshakes > MAX_EXTENDED_HANDSHAKES || names > MAX_EXTENSION_NAMES) {
      return peer.connection.close('WIRE_EXTENSION_INVALID', `${names} extensions`);
    }
    if (typeof reqq === 'number' && reqq >= 1) peer.requestLimit = Math.floor(reqq);
    peer.client = clientName(peer.peerId, v);
    if (typeof p === 'number' && peer.connection.direction === 'incoming') {
      const address = connectable({ host: peer.connection.remote.host, port: p });
      if (address) swarm.updates.onListenAddress(peer, address);
    }
    if (typeof uploadOnly === 'number') swarm.updates.onUploadOnly(peer, uploadOnly !== 0);
    if (yourip instanceof Uint8Array && (yourip.length === 4 || yourip.length === 16)) {
      swarm.services.host.onExternalAddress(ipaddr.fromByteArray([...yourip]).toString(), peer.connection.remote.host);
    }
    if (!('metadata_size' in handshake)) swarm.metadata?.onUnavailable(peer);
  }

  onRequest(piece: number, begin: number, length: number): void {
    this.swarm.upload?.onRequest(this.peer, piece, begin, length);
  }

  onCancel(piece: number, begin: number, length: number): void {
    this.swarm.upload?.onCancel(this.peer, piece, begin, length);
  }

  onReject(piece: number, begin: number): void {
    this.swarm.download?.onReject(this.peer, piece, begin);
  }

  onBlockStart(piece: number, begin: number, length: number): Uint8Array | null {
    const { download } = this.swarm;
    if (download) return download.onBlockStart(this.peer, piece, begin, length);
    this.peer.unrequestedBytes += length;
    if (this.peer.unrequestedBytes > MAX_UNREQUESTED_BYTES) this.peer.connection.close('WIRE_UNREQUESTED_DATA');
    return null;
  }

  onBlockEnd(piece: number, begin: number, length: number): void {
    this.swarm.download?.onBlockEnd(this.peer, piece, begin, length);
    this.swarm.onPayload('down', length);
  }

  onReadEnd(): void {
    this.swarm.download?.fill(this.peer);
    this.swarm.upload?.pump(this.peer);
    if (this.peer.rates.down.isLimited) this.swarm.download?.holdBack(this.peer);
  }

  onDrain(): void {
    this.peer.metadata?.serve();
    this.swarm.upload?.pump(this.peer);
  }

  onClose(reason: CloseReason, detail: string): void {
    this.swarm.onClosed(this.peer, reason, detail);
  }

  /** The peer said at once what it has. */
  #onAllPieces(problem: CloseReason): void {
    const { peer, swarm } = this;
    const { content, download } = swarm;
    if (!content) return;
    peer.connection.charge(content.info.pieceCount / PIECES_PER_MESSAGE_COST);
    if (peer.connection.closed) return;
    if (!peer.learnPieceCount(content.info.pieceCount)) return peer.connection.close(problem);
    if (peer.have?.isFull) download?.picker.onPeerHaveAll(peer.key);
    else if (peer.have) download?.picker.onPeerBitfield(peer.key, peer.have.bytes);
    swarm.upload?.offerFast(peer);
    this.#onPiecesChanged();
    swarm.superSeeding.onPieces(peer);
  }

  #onPiecesChanged(): void {
    this.swarm.updates.onPiecesChanged(this.peer);
  }
}
