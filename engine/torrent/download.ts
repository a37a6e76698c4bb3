// The way in: picks blocks, requests them, receives them into the slab, has full pieces hashed and written. One
// for each torrent that is downloading. It owns the picker and the buffers of pieces in progress; what a verified or
// failed piece means beyond that is told to `events`.
import { AppError } from '../../shared-protocol/errors.js';
import type { PartialPiece } from '../../storage/types.js';
import type { TorrentStorage } from '../disk/types.js';
import type { TorrentInfo } from '../metainfo/types.js';
import type { PieceHasher } from '../hashing/types.js';
import type { PeerKey, PiecePicker, PiecePriority } from '../picker/types.js';
import type { Clock, Random } from '../ports.js';
import { createPicker } from '../picker/index.js';
import { MAX_UNREQUESTED_BYTES } from '../wire/constants.js';
import { awaitedBlocks } from './awaited-blocks.js';
import { blockLengthAt, pieceLengthAt } from './geometry.js';
import { blockDigests } from './block-digests.js';
import type { Peer } from './peer.js';
import { KeptBlocks } from './kept-blocks.js';
import { PieceBuffers } from './piece-buffers.js';
import { verifyPiece } from './piece-verifier.js';
import type { SlabRoom, SlabUser } from './slab-room.js';
import { WriteQueue } from './write-queue.js';

/** libtorrent `piece_timeout`: a peer that sends nothing for this long while requests wait is snubbing us. */
export const SNUB_AFTER_MS = 20_000;
/** Requests are topped up in lots, not one for each block. */
const REFILL_FRACTION = 4;

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
}

export interface DownloadDeps {
  readonly info: TorrentInfo;
  readonly storage: TorrentStorage;
  readonly hasher: PieceHasher;
  readonly room: SlabRoom;
  readonly clock: Clock;
  readonly random: Random;
  readonly peers: ReadonlyMap<PeerKey, Peer>;
  readonly judge: PieceJudge;
  readonly events: {
    /** Hashed and on disk. */
    onPieceVerified(piece: number): void;
    /** The disk refused a piece; it will be wanted again once `resume` is called. */
    onDiskError(error: Error): void;
  };
}

export class Download implements SlabUser {
  readonly picker: PiecePicker;
  readonly #buffers: PieceBuffers;
  readonly #writes: WriteQueue;
  readonly #verifying = new Set<number>();
  readonly #kept: KeptBlocks;
  /** Pieces in progress with blocks of which nobody knows who sent them. */
  readonly #restored = new Set<number>();
  /** Whatever reads or writes, until it has ended. */
  readonly #work = new Set<Promise<void>>();
  /** Peers that could take more requests but found no room for a new piece. */
  readonly #starved = new Set<Peer>();
  #running = true;
  #roomRefused = false;
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
        if (!opened) this.#roomRefused = true;
        return opened;
      },
    });
    this.#writes = new WriteQueue(deps.storage);
    this.#kept = new KeptBlocks(deps.info, deps.storage);
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
    for (const peer of this.deps.peers.values()) this.#takeBack(peer, skipped);
    this.#closeIdlePieces();
  }

  onSlabRoom(): void {
    const starved = [...this.#starved];
    this.#starved.clear();
    for (const peer of starved) this.fill(peer);
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
    this.#starved.delete(peer);
    this.picker.onPeerGone(peer.key);
    this.deps.judge.leave(peer);
    peer.allowance.settle(0);
    this.#closeIdlePieces();
    this.refillOthers(peer);
  }

  onChoked(peer: Peer): void {
    // With the fast extension every request is answered, if only by a reject (BEP 6).
    if (peer.connection.fast) return;
    this.picker.onPeerChoked(peer.key);
    this.refillOthers(peer);
  }

  onReject(peer: Peer, piece: number, begin: number): void {
    this.picker.onRequestLost(peer.key, piece, begin);
  }

  /** Tops up the peer's requests to its target, if we may ask it at all. */
  fill(peer: Peer): void {
    if (!this.#running || !peer.handshakeDone || !peer.weAreInterested || peer.connection.closed) return;
    const allowed = peer.chokesUs ? peer.allowedFast : undefined;
    if (allowed?.size === 0) return;
    const target = peer.requestTarget;
    const outstanding = this.picker.outstanding(peer.key);
    let missing = target - outstanding;
    if (missing <= 0 || (outstanding > 0 && missing < target / REFILL_FRACTION)) return;
    let lot: number;
    let requested: number;
    // All at once, or under a rate limit in lots.
    do {
      lot = peer.allowance.blocks(missing);
      requested = lot > 0 ? this.#request(peer, lot, allowed) : 0;
      missing -= requested;
    } while (missing > 0 && requested > 0 && requested === lot);
  }

  /** How many blocks were requested, up to `count`. */
  #request(peer: Peer, count: number, allowed: ReadonlySet<number> | undefined): number {
    const wasIdle = this.picker.outstanding(peer.key) === 0;
    this.#roomRefused = false;
    const blocks = this.picker.pick(peer.key, count, allowed);
    if (this.#roomRefused) {
      this.#starved.add(peer);
      // Pieces that no connected peer can finish must not hold the room that others need.
      for (const piece of this.picker.closeStrandedPieces()) this.#buffers.close(piece);
    }
    if (blocks.length === 0) return 0;
    if (wasIdle) peer.lastBlockAtMs = this.deps.clock.nowMs();
    peer.allowance.onAsked(blocks.length);
    peer.connection.sendRequests(blocks);
    return blocks.length;
  }

  /** Under a rate limit, after something was read: what was asked for without one must not come in at once. */
  holdBack(peer: Peer): void {
    if (peer.readingPaused || peer.connection.closed) return;
    if (peer.allowance.mustWait(this.#awaited(peer), this.deps.clock.nowMs())) peer.pauseReading();
  }

  /** After blocks became free again: the fastest with room takes them, not another that may sit on them. */
  refillOthers(except: Peer): void {
    const others = [...this.deps.peers.values()].filter((peer) => peer !== except && peer.weAreInterested);
    others.sort((a, b) => Number(a.snubbed) - Number(b.snubbed) || b.down.rate - a.down.rate);
    for (const peer of others) this.fill(peer);
  }

  /** The place for a block that begins to arrive, or null to throw it away. */
  onBlockStart(peer: Peer, piece: number, begin: number, length: number): Uint8Array | null {
    const expected =
      this.picker.isRequested(peer.key, piece, begin) && length === blockLengthAt(this.deps.info, piece, begin);
    this.#pay(peer, length, expected);
    if (!expected) {
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
    if (!block) return;
    peer.incoming = null;
    if (block.inPlace) this.#buffers.endWriter(piece, begin, peer);
    peer.onBlock(length, this.deps.clock.nowMs());
    if (peer.snubbed) this.#setSnubbed(peer, false);
    const kept = this.#buffers.keptView(piece, begin, length);
    const outcome = this.picker.onBlockReceived(peer.key, piece, begin, kept);
    if (outcome.kind !== 'accepted') return;
    if (!block.inPlace) this.#takeBlock(piece, begin, block.bytes);
    for (const key of outcome.cancel) {
      this.deps.peers.get(key)?.connection.sendCancels([{ piece, begin, length }]);
    }
    if (outcome.pieceComplete) this.#track(this.#verify(piece));
  }

  /** Once a second: peers that let requests wait too long lose them to others. */
  tick(nowMs: number): void {
    // The answers to what was taken back have come by now: the room of those pieces is free.
    if (this.#skips) this.#closeIdlePieces();
    for (const peer of this.deps.peers.values()) {
      if (this.picker.outstanding(peer.key) === 0 || peer.readingPaused) continue;
      if (nowMs - peer.lastBlockAtMs < SNUB_AFTER_MS) continue;
      this.#setSnubbed(peer, true);
      this.picker.onPeerChoked(peer.key);
      peer.lastBlockAtMs = nowMs;
      this.refillOthers(peer);
      this.fill(peer);
    }
    for (const peer of this.deps.peers.values()) {
      peer.allowance.settle(this.#awaited(peer));
      this.fill(peer);
    }
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
    for (const peer of this.deps.peers.values()) this.fill(peer);
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

  #setSnubbed(peer: Peer, snubbed: boolean): void {
    peer.snubbed = snubbed;
    this.picker.setSnubbed(peer.key, snubbed);
  }

  /** Requests whose blocks have not begun to arrive. */
  #awaited(peer: Peer): number {
    return this.picker.outstanding(peer.key) - (peer.incoming ? 1 : 0);
  }

  #pay(peer: Peer, length: number, expected: boolean): void {
    const { allowance, connection, rates } = peer;
    if (!expected) return rates.down.charge(length);
    const nowMs = this.deps.clock.nowMs();
    // Only with the fast extension we are told what became of a request that is taken back (BEP 6).
    const canTakeBack = rates.down.isLimited && connection.fast;
    if (canTakeBack && allowance.beginGrace(this.#awaited(peer), nowMs)) this.#takeBack(peer, this.picker.openPieces());
    allowance.onArrival(length, nowMs);
  }

  /**
   * With the fast extension the requests stay outstanding until they are rejected, or answered after all; without it
   * nobody says what became of them, and a block that was on its way is no fault of the peer.
   */
  #takeBack(peer: Peer, pieces: readonly number[]): void {
    const blocks = awaitedBlocks(this.picker, this.deps.info, peer, pieces);
    if (blocks.length === 0) return;
    peer.connection.sendCancels(blocks);
    if (peer.connection.fast) return;
    for (const { piece, begin, length } of blocks) {
      this.picker.onRequestLost(peer.key, piece, begin);
      peer.unrequestedBytes -= length;
    }
  }

  #dropIncoming(peer: Peer): void {
    if (!peer.incoming) return;
    this.#buffers.endWriter(peer.incoming.piece, peer.incoming.begin, peer);
    peer.abandonBlock();
  }

  #closeIdlePieces(): void {
    for (const piece of this.picker.closeIdlePieces()) this.#buffers.close(piece);
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
        this.deps.events.onPieceVerified(piece);
        break;
      case 'bad':
        // Nobody can be blamed for what an earlier download left.
        if (isRestored) this.picker.onPieceFailed(piece);
        else this.#onPieceFailed(piece, digests);
        break;
      case 'disk-error':
        this.picker.onPieceFailed(piece);
        this.deps.events.onDiskError(outcome.error);
        break;
    }
    if (!this.#running) return;
    if (outcome.kind !== 'good') this.#fillAll();
    else if (unbuffered) this.onSlabRoom();
  }

  /** Those on parole last: somebody better is to fetch what failed. */
  #fillAll(): void {
    const peers = [...this.deps.peers.values()];
    const onParole = ({ key }: Peer): number => Number(this.picker.isOnParole(key));
    for (const peer of peers.sort((a, b) => onParole(a) - onParole(b))) this.fill(peer);
  }

  #onPieceFailed(piece: number, digests: Uint8Array | null): void {
    const senders = this.picker.sendersOf(piece);
    this.picker.onPieceFailed(piece);
    this.picker.fetchAlone(piece);
    this.deps.judge.onPieceFailed(piece, pieceLengthAt(this.deps.info, piece), senders, digests);
  }
}
