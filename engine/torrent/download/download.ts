// The way in: receives blocks into the slab, has full pieces hashed and written. One for each torrent that is
// downloading. It owns the picker and the buffers of pieces in progress; who is asked for what, `requests` decides; what a
// verified or failed piece means beyond that is told to `deps`. A piece is in the picker and has its buffer or neither
// (`checkInvariant`): whatever opens, closes, keeps or restores pieces is here, as it has to change both at once.
import { AppError } from '../../../shared-protocol/errors.js';
import type { PartialPiece } from '../../../storage/types.js';
import type { TorrentStorage } from '../../disk/types.js';
import type { TorrentInfo } from '../../metainfo/types.js';
import type { PieceHasher } from '../../hashing/types.js';
import type { PeerKey, PiecePicker, PiecePriority } from '../../picker/types.js';
import type { Clock, Random } from '../../environment.js';
import { createPicker } from '../../picker/index.js';
import { MAX_UNREQUESTED_BYTES } from '../../wire/constants.js';
import { blockLengthAt, pieceLengthAt } from '../pieces/geometry.js';
import { blockDigests } from './block-digests.js';
import type { Peer } from '../peer/peer.js';
import { UnfinishedPieces } from './unfinished-pieces.js';
import { PieceBuffers } from './piece-buffers.js';
import { verifyPiece } from './piece-verifier.js';
import { Requests } from './requests.js';
import type { SlabBudget, SlabUser } from './slab-budget.js';
import { WriteQueue } from './write-queue.js';

/** Finds out who sends what is not the torrent's, and acts on it. */
export interface PieceJudge {
  /** Whether the peer is on parole; the picker is told of changes. */
  join(peer: Peer): boolean;
  leave(peer: Peer): void;
  /** The piece failed before: `digests` of its blocks are wanted when it passes. */
  isAwaiting(piece: number): boolean;
  /** `senders` and SHA-1 `digests` of each block; null: the digests could not be had. */
  onPieceFailed(piece: number, length: number, senders: Int32Array, digests: Uint8Array | null): void;
  onPiecePassed(piece: number, sources: readonly PeerKey[], digests: Uint8Array | null): void;
  /** Bytes of a block that is here already, or that is not expected any more. */
  onRedundant(bytes: number): void;
}

export interface DownloadDeps {
  readonly info: TorrentInfo;
  readonly storage: TorrentStorage;
  readonly hasher: PieceHasher;
  readonly room: SlabBudget;
  readonly clock: Clock;
  readonly random: Random;
  readonly peers: ReadonlyMap<PeerKey, Peer>;
  readonly judge: PieceJudge;
  /** Hashed and on disk. */
  onPieceVerified(piece: number): void;
  /** The disk refused a piece; it will be wanted again once `resume` is called. */
  onDiskError(error: Error): void;
}

export class Download implements SlabUser {
  readonly picker: PiecePicker;
  readonly #requests: Requests;
  readonly #buffers: PieceBuffers;
  readonly #writes: WriteQueue;
  readonly #verifying = new Set<number>();
  readonly #kept: UnfinishedPieces;
  /** Pieces in progress with blocks whose senders are unknown. */
  readonly #restored = new Set<number>();
  /** Whatever reads or writes, until it has ended. */
  readonly #work = new Set<Promise<void>>();
  #running = true;
  #skips = false;

  constructor(private readonly deps: DownloadDeps) {
    this.#buffers = new PieceBuffers(deps.room, this);
    this.picker = createPicker({
      pieceCount: deps.info.pieceCount,
      pieceLength: deps.info.pieceLength,
      totalBytes: deps.info.totalBytes,
      random: deps.random,
      openPiece: (piece, length) => {
        const opened = this.#buffers.open(piece, length);
        if (!opened) this.#requests.onRoomRefused();
        return opened;
      },
    });
    this.#requests = new Requests({
      ...deps,
      picker: this.picker,
      closePieces: (pieces) => this.#closePieces(pieces),
    });
    this.#writes = new WriteQueue(deps.storage);
    this.#kept = new UnfinishedPieces(deps.info, deps.storage);
    deps.room.join(this);
  }

  get slabBytes(): number {
    return this.#buffers.slabBytes;
  }

  /** One for each piece. What peers were asked for of pieces that are not wanted any more is taken back. */
  setPriorities(priorities: readonly PiecePriority[]): void {
    this.picker.setPriorities(priorities);
    this.#skips = priorities.includes('skip');
    if (!this.#skips) return;
    const skipped = this.picker.openPieces().filter((piece) => priorities[piece] === 'skip');
    for (const peer of this.deps.peers.values()) this.#requests.takeBack(peer, skipped);
    this.#closeIdlePieces();
  }

  /** Pieces that somebody waits for, the most urgent first. `isJump`: the first of them is nothing that was waited for. */
  setUrgent(pieces: readonly number[], isJump: boolean): void {
    this.picker.setUrgent(pieces);
    if (isJump) this.#requests.hurry(pieces);
  }

  onSlabRoom(): void {
    this.#requests.onRoom();
  }

  addPeer(peer: Peer): void {
    this.picker.onPeerJoined(peer.key);
    if (this.deps.judge.join(peer)) this.picker.setParole(peer.key, true);
    if (!peer.have) return;
    if (peer.have.isFull) this.picker.onPeerHaveAll(peer.key);
    else if (peer.have.count > 0) this.picker.onPeerBitfield(peer.key, peer.have.bytes);
  }

  removePeer(peer: Peer): void {
    this.#dropIncoming(peer);
    this.picker.onPeerGone(peer.key);
    this.deps.judge.leave(peer);
    this.#requests.forget(peer);
    this.#closeIdlePieces();
    this.#requests.fillOthers(peer);
  }

  onChoked(peer: Peer): void {
    // With the fast extension every request is answered, if only by a reject (BEP 6).
    if (peer.connection.fast) return;
    this.picker.onPeerChoked(peer.key);
    this.#requests.fillOthers(peer);
  }

  onReject(peer: Peer, piece: number, begin: number): void {
    this.picker.onRequestLost(peer.key, piece, begin);
  }

  fill(peer: Peer): void {
    this.#requests.fill(peer);
  }

  holdBack(peer: Peer): void {
    this.#requests.holdBack(peer);
  }

  /** The place for a block that begins to arrive, or null to throw it away. */
  onBlockStart(peer: Peer, piece: number, begin: number, length: number): Uint8Array | null {
    const expected =
      this.picker.isRequested(peer.key, piece, begin) && length === blockLengthAt(this.deps.info, piece, begin);
    this.#requests.onArrival(peer, length, expected);
    if (!expected) {
      this.deps.judge.onRedundant(length);
      peer.unrequestedBytes += length;
      if (peer.unrequestedBytes > MAX_UNREQUESTED_BYTES) peer.connection.close('WIRE_UNREQUESTED_DATA');
      return null;
    }
    const block = this.#buffers.startBlock(piece, begin, length, peer);
    peer.incoming = { piece, begin, bytes: block.bytes, inPlace: block.inPlace };
    return block.bytes;
  }

  onBlockEnd(peer: Peer, piece: number, begin: number, length: number): void {
    const block = peer.incoming;
    if (!block) return this.deps.judge.onRedundant(length);
    peer.incoming = null;
    if (block.inPlace) this.#buffers.endWriter(piece, begin, peer);
    peer.onBlock(length, this.deps.clock.nowMs());
    this.#requests.onSent(peer);
    const kept = this.#buffers.keptView(piece, begin, length);
    const outcome = this.picker.onBlockReceived(peer.key, piece, begin, kept);
    if (outcome.kind !== 'accepted') return this.deps.judge.onRedundant(length);
    if (!block.inPlace) this.#takeBlock(piece, begin, block.bytes);
    for (const key of outcome.cancel) {
      this.deps.peers.get(key)?.connection.sendCancels([{ piece, begin, length }]);
    }
    if (outcome.pieceComplete) this.#track(this.#verify(piece));
  }

  /** Once a second. */
  tick(nowMs: number): void {
    // The answers to what was taken back have come by now: the room of those pieces is free.
    if (this.#skips) this.#closeIdlePieces();
    this.#requests.tick(nowMs);
  }

  /** Blocks that are on disk already are taken up again, as far as there is room for their pieces. */
  takeUp(partial: readonly PartialPiece[]): void {
    this.#kept.add(partial);
    this.#track(this.#restore(partial.map(({ piece }) => piece)));
  }

  /**
   * Takes no more blocks; pieces being verified are finished, of the others the blocks are written, with `keep`, and the
   * rest given up. Resolves with what is on disk of them when nothing is read or written any more.
   */
  async stop(keep = true): Promise<readonly PartialPiece[]> {
    this.#running = false;
    this.#requests.stop();
    for (const peer of this.deps.peers.values()) {
      this.#dropIncoming(peer);
      this.deps.judge.leave(peer);
    }
    const kept = keep ? this.#keepOpenPieces() : [];
    this.#buffers.closeAllExcept(new Set([...this.#verifying, ...kept]));
    this.deps.room.leave(this);
    while (this.#work.size > 0) await Promise.all(this.#work);
    return this.#kept.list();
  }

  /** The pieces whose blocks are being written. */
  #keepOpenPieces(): number[] {
    const kept = this.picker.openPieces().filter((piece) => {
      return !this.#verifying.has(piece) && this.picker.receivedBlocks(piece) !== null;
    });
    if (kept.length > 0) this.#track(this.#keep(kept));
    return kept;
  }

  /** One after another: a torrent that ends is in no hurry. */
  async #keep(pieces: readonly number[]): Promise<void> {
    for (const piece of pieces) {
      const received = this.picker.receivedBlocks(piece)!;
      const region = this.#buffers.region(piece);
      if (region) await this.#kept.write(piece, received, region.bytes);
      else
        await this.#buffers.settled(piece).then(
          () => this.#kept.written(piece, received),
          () => undefined,
        );
      this.#buffers.close(piece);
    }
  }

  async #restore(pieces: readonly number[]): Promise<void> {
    for (const piece of pieces) {
      // What is too large for the slab stays where it is.
      const isLarge = pieceLengthAt(this.deps.info, piece) > this.deps.room.largestPieceBytes;
      const bytes = isLarge ? null : await this.#kept.read(piece);
      if (!this.#running || !this.#kept.has(piece)) continue;
      const kept = (begin: number, length: number): Uint8Array => this.#buffers.keptView(piece, begin, length);
      const outcome = this.picker.restorePiece(piece, this.#kept.blocksOf(piece), kept);
      if (outcome === 'open' || outcome === 'complete') {
        this.#restored.add(piece);
        if (bytes) this.#buffers.region(piece)?.bytes.set(bytes);
      }
      if (outcome === 'complete') this.#track(this.#verify(piece));
    }
    for (const peer of this.deps.peers.values()) this.#requests.fill(peer);
  }

  #track(work: Promise<void>): void {
    const tracked: Promise<void> = work.finally(() => this.#work.delete(tracked));
    this.#work.add(tracked);
  }

  /** Throws `bug: …` when picker and buffers do not agree; for tests. */
  checkInvariant(): void {
    this.picker.checkInvariant();
    const inPicker = [...this.picker.openPieces()].sort((a, b) => a - b).join();
    const inBuffers = this.#buffers
      .openPieces()
      .sort((a, b) => a - b)
      .join();
    if (inPicker !== inBuffers) throw new AppError('BUG', `bug: open ${inPicker}, buffered ${inBuffers}`);
  }

  #dropIncoming(peer: Peer): void {
    if (!peer.incoming) return;
    this.#buffers.endWriter(peer.incoming.piece, peer.incoming.begin, peer);
    peer.abandonBlock();
  }

  #closeIdlePieces(): void {
    this.#closePieces(this.picker.closeIdlePieces());
  }

  #closePieces(pieces: readonly number[]): void {
    for (const piece of pieces) this.#buffers.close(piece);
  }

  /** A block that was received outside of the slab. */
  #takeBlock(piece: number, begin: number, bytes: Uint8Array): void {
    if (this.#buffers.region(piece)) {
      this.#buffers.moveIntoPlace(piece, begin, bytes);
      return;
    }
    const offset = piece * this.deps.info.pieceLength + begin;
    this.#buffers.trackWrite(piece, this.deps.storage.write(offset, bytes));
  }

  async #verify(piece: number): Promise<void> {
    this.#verifying.add(piece);
    const unbuffered = this.#buffers.region(piece) === null;
    const deps = { ...this.deps, writes: this.#writes };
    const { judge } = deps;
    const outcome = await verifyPiece(deps, this.#buffers, piece);
    const isSuspect = outcome.kind === 'bad' || (outcome.kind === 'good' && judge.isAwaiting(piece));
    const digests = isSuspect ? await blockDigests(deps, this.#buffers, piece) : null;
    this.#verifying.delete(piece);
    this.#buffers.close(piece);
    const isRestored = this.#restored.delete(piece);
    if (outcome.kind !== 'disk-error') this.#kept.forget(piece);
    switch (outcome.kind) {
      case 'good':
        judge.onPiecePassed(piece, this.picker.onPieceVerified(piece), digests);
        this.deps.onPieceVerified(piece);
        break;
      case 'bad':
        // No peer can be blamed for what an earlier download left.
        if (isRestored) this.picker.onPieceFailed(piece);
        else this.#onPieceFailed(piece, digests);
        break;
      case 'disk-error':
        this.picker.onPieceFailed(piece);
        this.deps.onDiskError(outcome.error);
        break;
    }
    if (!this.#running) return;
    if (outcome.kind !== 'good') this.#requests.fillAll();
    else if (unbuffered) this.onSlabRoom();
  }

  #onPieceFailed(piece: number, digests: Uint8Array | null): void {
    const senders = this.picker.sendersOf(piece);
    this.picker.onPieceFailed(piece);
    this.picker.fetchAlone(piece);
    this.deps.judge.onPieceFailed(piece, pieceLengthAt(this.deps.info, piece), senders, digests);
  }
}
