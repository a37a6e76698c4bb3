// The way out: checks a peer's requests and queues them, serves blocks that we have, chokes and unchokes. Which
// peers hold slots is decided by the choker; the bytes travel in wire/upload-queue.ts.
import type { InfoHash } from '../../../shared-protocol/ids.js';
import type { TorrentStorage } from '../../disk/types.js';
import type { PieceGeometry } from '../pieces/geometry.js';
import { pieceLengthAt } from '../pieces/geometry.js';
import { MAX_BLOCK_BYTES } from '../../wire/constants.js';
import type { FrameBufferPool, OutgoingBlock } from '../../wire/frame-buffers.js';
import type { PeerConnection } from '../../wire/peer-connection.js';
import { UploadQueue, type UploadSocket } from '../../wire/upload-queue.js';
import type { Bitfield } from '../pieces/bitfield.js';
import { AllowedFastSet } from '../peer/allowed-fast-set.js';
import type { Peer } from '../peer/peer.js';

export interface UploadDeps {
  readonly infoHash: InfoHash;
  readonly geometry: PieceGeometry;
  readonly storage: Pick<TorrentStorage, 'read'>;
  readonly have: Bitfield;
  /** Whether the piece may go out; what is trusted only is hashed first, and `onProven` is called. */
  isProven(piece: number): boolean;
  /** Whether an account that runs the torrent may upload. */
  mayUpload(): boolean;
  readonly buffers: FrameBufferPool;
  readonly nowMs: () => number;
  onUploaded(bytes: number): void;
  /** A read failed: files have vanished, or the disk fails. */
  onReadFailed(error: unknown): void;
}

export class Upload {
  constructor(private readonly deps: UploadDeps) {}

  removePeer(peer: Peer): void {
    peer.upload?.close();
  }

  /** Offers pieces to begin with to a peer that has next to nothing (BEP 6); its pieces are known now. */
  offerFast(peer: Peer): void {
    const { geometry, infoHash, have } = this.deps;
    if (!peer.connection.fast || peer.fastOffers || !peer.have || peer.shown || !this.deps.mayUpload()) return;
    peer.fastOffers = AllowedFastSet.for(geometry, peer.have);
    const pieces = peer.fastOffers.offer(peer.connection.remote.host, infoHash, have, peer.have);
    for (const piece of pieces) peer.connection.sendAllowedFast(piece);
  }

  /** Answered once the whole read has been parsed (`pump`), so that requests sent together are read together. */
  onRequest(peer: Peer, piece: number, begin: number, length: number): void {
    const { conduct } = peer;
    if (peer.choked && !peer.fastOffers?.take(piece)) {
      peer.rejects.push({ piece, begin, length });
      const isChokeSent = peer.connection.socket.bufferedBytes === 0;
      return this.#bear(peer, conduct.onChokedRequest(this.deps.nowMs(), isChokeSent));
    }
    // A peer that still has its slot, or was offered the piece, has done nothing wrong.
    if (!this.deps.mayUpload()) return void peer.rejects.push({ piece, begin, length });
    const isServable = this.#isServable(piece, begin, length) && (peer.shown?.has(piece) ?? true);
    const outcome = isServable ? this.#queueOf(peer).push(piece, begin, length) : 'invalid';
    if (outcome === 'queued') return;
    if (outcome === 'duplicate') return this.#onWasted(peer);
    peer.rejects.push({ piece, begin, length });
    this.#bear(peer, conduct.onInvalid());
  }

  onCancel(peer: Peer, piece: number, begin: number, length: number): void {
    // BEP 6: a cancelled request is answered too, by the block or by a reject.
    if (!peer.upload?.cancel(piece, begin)) return;
    peer.rejects.push({ piece, begin, length });
    this.#onWasted(peer);
  }

  pump(peer: Peer): void {
    if (peer.rejects.length > 0) peer.connection.sendRejects(peer.rejects.splice(0));
    peer.upload?.pump();
  }

  setChoked(peer: Peer, choked: boolean): void {
    if (peer.choked === choked) return;
    peer.choked = choked;
    if (choked) peer.conduct.onChoked(this.deps.nowMs());
    else peer.unchokedAtMs = this.deps.nowMs();
    peer.connection.sendChoke(choked);
    if (choked && peer.upload) this.#rejectAll(peer, peer.upload);
  }

  /** BEP 6: all but requests for pieces that were offered, which are served to a peer that is choked, if any are. */
  #rejectAll(peer: Peer, queue: UploadQueue): void {
    const rejected: OutgoingBlock[] = [];
    const mayUpload = this.deps.mayUpload();
    for (const block of queue.clear()) {
      if (mayUpload && peer.fastOffers?.has(block.piece)) queue.push(block.piece, block.begin, block.length);
      else rejected.push(block);
    }
    peer.connection.sendRejects(rejected);
  }

  /** Made for the first request that may be served: most peers of a busy torrent never ask for anything. */
  #queueOf(peer: Peer): UploadQueue {
    peer.upload ??= new UploadQueue({
      socket: new Outlet(peer.connection),
      allowance: peer.rates.up,
      buffers: this.deps.buffers,
      pieceLength: this.deps.geometry.pieceLength,
      isReady: (piece) => this.deps.isProven(piece),
      read: (offset, views) => this.deps.storage.read(offset, views),
      onSent: (bytes) => {
        peer.up.add(bytes);
        this.deps.onUploaded(bytes);
      },
      onReadFailed: (run, error) => {
        peer.connection.sendRejects(run);
        this.deps.onReadFailed(error);
      },
    });
    return peer.upload;
  }

  #isServable(piece: number, begin: number, length: number): boolean {
    const { geometry, have } = this.deps;
    if (piece >= geometry.pieceCount || length === 0 || length > MAX_BLOCK_BYTES) return false;
    return begin + length <= pieceLengthAt(geometry, piece) && have.has(piece);
  }

  #onWasted(peer: Peer): void {
    this.#bear(peer, peer.conduct.onWasted(this.deps.nowMs(), peer.up.total));
  }

  #bear(peer: Peer, isBorne: boolean): void {
    if (!isBorne) peer.connection.close('WIRE_REQUEST_ABUSE');
  }
}

/** A class, for a getter of an object literal gives each such object hidden classes of its own. */
class Outlet implements UploadSocket {
  constructor(private readonly connection: PeerConnection) {}

  get bufferedBytes(): number {
    return this.connection.socket.bufferedBytes;
  }

  write(bytes: Uint8Array, done: () => void): void {
    this.connection.send(bytes, done);
  }
}
